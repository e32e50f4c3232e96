// Receivers of changes: what was sent to them, what failed, and sending again.
import { ask, el, faultBox, number, say, show, t, wait } from './page.js';
import { dayTime, monitorNote, showFault, table, time } from './stations-parts.js';

let zone = 'UTC';
let place;
let timer;

export async function open(section) {
  place = section;
  clearTimeout(timer);
  try {
    const stations = await ask('/v1/stations');
    zone = stations.timeZone;
    draw((await ask('/v1/webhooks')).webhooks, stations);
  } catch (failure) {
    showFault(place, failure, () => open(section));
    return;
  }
  timer = setTimeout(look, 4_000);
}

// Looks again every few seconds, and leaves the page alone while somebody reads what was delivered.
async function look() {
  clearTimeout(timer);
  if (!document.hidden && !place.contains(document.activeElement)) {
    try {
      const stations = await ask('/v1/stations', { tries: 1 });
      draw((await ask('/v1/webhooks', { tries: 1 })).webhooks, stations);
    } catch {
      // The service is being started again: what was told stays.
    }
  }
  timer = setTimeout(look, 4_000);
}

function draw(webhooks, stations) {
  const opened = new Set([...place.querySelectorAll('details[open]')].map((one) => one.id));
  show(place, el('h2', {}, t('stations.webhooks')), el('p', { class: 'dim' }, t('stations.webhooksHelp')), monitorNote(stations),
    webhooks.length ? webhooks.map((one) => card(one, opened)) : el('p', { class: 'note' }, t('stations.noWebhooks')));
}

function card(webhook, opened) {
  const status = el('div', { role: 'status' });
  const id = `webhook-${webhook.name}`;
  const send = async (event) => {
    event.target.disabled = true;
    try {
      await ask(`/v1/webhooks/${encodeURIComponent(webhook.name)}/retry`, { method: 'POST' });
    } catch (failure) {
      event.target.disabled = false;
      show(status, faultBox(failure));
      return;
    }
    show(status, el('p', { class: 'note' }, t('stations.sendsAgain')));
    say(t('stations.sendsAgain'));
    await wait(3_000);
    event.target.disabled = false;
    event.target.blur();
    await look();
  };
  const last = webhook.deliveries[0];
  return el('article', { class: 'card webhook', 'aria-label': webhook.name },
    el('header', { class: 'row' }, el('h3', {}, webhook.name), el('span', { class: `tag ${{ working: 'good', failing: 'bad', disabled: 'warn' }[webhook.state]}` }, t(`stations.hook-${webhook.state}`))),
    el('dl', {},
      el('dt', {}, t('stations.address')), el('dd', {}, webhook.address),
      el('dt', {}, t('stations.events')), el('dd', {}, webhook.events.join(', ') || t('stations.usualEvents')),
      el('dt', {}, t('stations.of')), el('dd', {}, webhook.channels.join(', ') || t('stations.allStations')),
      el('dt', {}, t('stations.behind')), el('dd', {}, webhook.behind === undefined ? t('stations.neverSent') : webhook.behind ? t('stations.behindBy', { count: number(webhook.behind) }) : t('stations.upToDate')),
      webhook.state === 'failing' && [el('dt', {}, t('stations.failing')), el('dd', { class: 'bad' }, t('stations.failedTimes', { count: number(webhook.failures), fault: last?.fault ?? '' }),
        webhook.retryAt && ` ${t('stations.retryAt', { time: time(webhook.retryAt, zone, true) })}`)]),
    el('p', { class: 'row' }, el('button', { class: webhook.state === 'working' ? 'second' : null, type: 'button', onclick: send }, t('stations.sendAgain'))), status,
    deliveries(webhook, id, opened.has(id) || !opened.size && webhook.state !== 'working'));
}

function deliveries(webhook, id, isOpen) {
  if (!webhook.deliveries.length) return el('p', { class: 'dim' }, t('stations.noDeliveries'));
  return el('details', { id, open: isOpen }, el('summary', {}, t('stations.deliveries', { count: webhook.deliveries.length })),
    table(t('stations.deliveriesTo', { name: webhook.name }), ['when', '-=delivery', '-#changes', 'answer', '-#took'], webhook.deliveries.map((one) => [dayTime(one.date, zone), one.id, number(one.changes),
      [el('span', { class: one.fault ? 'bad' : 'good' }, one.status ?? t('stations.noAnswer')), one.fault && el('div', { class: 'dim small' }, one.fault)],
      t('stations.seconds', { seconds: number(one.seconds, { maximumFractionDigits: 2 }) })])));
}
