// Sends parts of pieces so that they go on where a connection, a page or a service ended.
import { ask, wait } from './page.js';

const chunk = 2 << 20;
// For how long a service that is not there is waited for between two tries, in milliseconds.
const longest = 5000;

const isPassing = (failure) => failure.status === 0 || failure.status === 408 || failure.status === 429 || failure.status >= 502;

// Sends what is missing of a part. `report` is told how many bytes are there, and whether the service is waited for.
export async function send(upload, blob, { signal, report }) {
  let patience = 500;
  for (;;) {
    try {
      let state = await ask(`/v1/uploads/${upload.id}`, { signal, tries: 1 });
      while (!state.isComplete) {
        report(state.received, false);
        const end = Math.min(blob.size, state.received + chunk);
        const isEmpty = blob.size === 0;
        state = await ask(`/v1/uploads/${upload.id}`, {
          method: 'PUT', signal, body: blob.slice(state.received, end),
          headers: { 'Content-Type': 'application/octet-stream', ...(isEmpty ? {} : { 'Content-Range': `bytes ${state.received}-${end - 1}/${blob.size}` }) },
        });
        patience = 500;
      }
      report(blob.size, false);
      return;
    } catch (failure) {
      if (failure.name === 'AbortError') throw failure;
      // Another request of this part may still be under way: where it stands is asked for again.
      if (!isPassing(failure) && failure.status !== 409) throw failure;
      report(null, true);
      await wait((failure.retryAfter ?? 0) * 1000 || patience, signal);
      patience = Math.min(longest, patience * 1.6);
    }
  }
}
