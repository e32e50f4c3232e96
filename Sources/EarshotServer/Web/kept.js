// What a person has chosen and entered, files too, kept in the browser until it is done with: a reload loses nothing.

function store(mode, body) {
  return new Promise((done, fail) => {
    const opening = indexedDB.open('earshot', 1);
    opening.onupgradeneeded = () => opening.result.createObjectStore('kept');
    opening.onerror = () => fail(opening.error);
    opening.onsuccess = () => {
      const database = opening.result;
      const transaction = database.transaction('kept', mode);
      const request = body(transaction.objectStore('kept'));
      transaction.oncomplete = () => { database.close(); done(request.result); };
      transaction.onerror = transaction.onabort = () => { database.close(); fail(transaction.error); };
    };
  });
}

// A browser that keeps nothing, or has no room: the page works, and a reload asks for the files again.
export const keep = (key, value) => store('readwrite', (all) => all.put(value, key)).catch(() => null);
export const kept = (key) => store('readonly', (all) => all.get(key)).catch(() => null);
export const forget = (key) => store('readwrite', (all) => all.delete(key)).catch(() => null);
