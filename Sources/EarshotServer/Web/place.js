// Where somebody is: asked of the browser, which asks the person; kept only when a person has said so in this browser.
import { ask, el, t } from './page.js';

// Whose places are kept by this browser: the identifier of a user. Another person who signs in here has not said so.
const key = 'earshot-place';

export const isOperator = document.querySelector('nav a[href="/admin"]') !== null;
export const isSignedIn = document.querySelector("form[action='/sign-out']") !== null;

// Browsers tell the place to pages of https addresses and of this machine only.
export const canLocate = isSecureContext && 'geolocation' in navigator;

function stored() {
  try { return localStorage.getItem(key); } catch { return null; }
}

// Whether the person who has signed in wants places to be kept. Asks the service only where anybody in this browser does.
export async function keepsPlaces() {
  const owner = stored();
  if (!owner || !isSignedIn || !canLocate) return false;
  const user = await ask('/v1/users/me').catch(() => null);
  return user?.id === owner;
}

export async function setKeepsPlaces(isOn) {
  if (isOn) localStorage.setItem(key, (await ask('/v1/users/me')).id);
  else localStorage.removeItem(key);
}

// The place, as the history takes it; throws an error whose `reason` is 'denied', 'unavailable' or 'insecure'.
export function locate(seconds = 15) {
  return new Promise((done, fail) => {
    if (!canLocate) { fail(Object.assign(new Error('no place'), { reason: 'insecure' })); return; }
    navigator.geolocation.getCurrentPosition(
      ({ coords }) => done({
        latitude: coords.latitude, longitude: coords.longitude, ...(Number.isFinite(coords.accuracy) ? { accuracy: coords.accuracy } : {}),
      }),
      (error) => fail(Object.assign(new Error(error.message), { reason: error.code === 1 ? 'denied' : 'unavailable' })),
      { timeout: seconds * 1000, maximumAge: 120_000, enableHighAccuracy: false });
  });
}

// Keeps a place with an entry of the history.
export function keepPlace(entry, place) {
  return ask(`/v1/history/${entry}/place`, { method: 'PUT', json: place, tries: 3 });
}

// A switch for keeping places, off until somebody turns it on; the browser is asked at once, so that a refusal is known.
export function placeSwitch() {
  const note = el('p', { class: 'dim small', role: 'status' }, t(canLocate ? 'history.rememberHelp' : 'history.insecure'));
  const box = el('input', { type: 'checkbox', disabled: !canLocate, onchange: change });
  async function change() {
    if (!box.checked) { await setKeepsPlaces(false); note.textContent = t('history.rememberHelp'); return; }
    box.disabled = true;
    note.textContent = t('history.addingPlace');
    try {
      await locate();
      note.textContent = t('history.rememberHelp');
    } catch (error) {
      note.textContent = t(`history.${error.reason}`);
      box.checked = error.reason === 'unavailable';
    }
    if (box.checked) await setKeepsPlaces(true).catch((failure) => { box.checked = false; note.textContent = failure.advice; });
    box.disabled = false;
    box.focus();
  }
  keepsPlaces().then((isOn) => { box.checked = isOn; });
  return el('div', { class: 'place-switch' }, el('label', {}, box, t('history.remember')), note);
}
