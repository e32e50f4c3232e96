// Browsers start no worker from a file. Search in pages that are opened as files runs in a hidden frame in its place, with the part of the
// worker's interface that the theme uses. The theme would fetch such a script from another host.
if (location.protocol === "file:") {
  window.Worker = class extends EventTarget {
    constructor(url) {
      super();
      this.onmessage = null;
      this.onerror = null;
      this.frame = document.createElement("iframe");
      this.frame.hidden = true;
      document.body.appendChild(this.frame);
      window.addEventListener("message", (event) => {
        if (event.source !== this.frame.contentWindow) return;
        const message = new MessageEvent("message", { data: event.data });
        this.dispatchEvent(message);
        if (this.onmessage) this.onmessage(message);
      });
      // Scripts that the worker imports are loaded in order, like the worker itself.
      const start =
        "postMessage = (data) => parent.postMessage(data, '*');" +
        "importScripts = (...urls) => urls.reduce((done, url) => done.then(() => new Promise((resolve) => {" +
        "const script = document.createElement('script'); script.src = url; script.onload = resolve;" +
        "document.body.appendChild(script); })), Promise.resolve());";
      const page = this.frame.contentWindow.document;
      page.open();
      page.write(`<!doctype html><body><script>${start}</script><script src="${new URL(url, location.href)}"></script></body>`);
      page.close();
      this.ready = new Promise((resolve) => { this.frame.onload = resolve; });
    }

    postMessage(data) {
      this.ready.then(() => this.frame.contentWindow.dispatchEvent(new MessageEvent("message", { data, source: window })));
    }

    terminate() { this.frame.remove(); }
  };
}
