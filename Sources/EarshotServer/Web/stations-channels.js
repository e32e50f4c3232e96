// Channels that are fed to the service, in whose last hours recordings are recognized.
import { ask, day, el, number, show, t } from './page.js';
import { length, showFault, table } from './stations-parts.js';

export async function open(place) {
  let list;
  try {
    list = await ask('/v1/live-channels');
  } catch (failure) {
    showFault(place, failure, () => open(place));
    return;
  }
  draw(place, list);
  const again = async () => {
    if (!document.hidden) {
      try {
        draw(place, await ask('/v1/live-channels', { tries: 1 }));
      } catch {
        // The service is being started again: what was told stays.
      }
    }
    setTimeout(again, 5_000);
  };
  setTimeout(again, 5_000);
}

function draw(place, list) {
  const behind = (channel) => Math.max(0, (Date.parse(list.date) - Date.parse(channel.end)) / 1000);
  const row = (channel) => [[channel.name ?? channel.id, channel.name && el('div', { class: 'dim small' }, channel.id)],
    channel.now?.title ?? el('span', { class: 'dim' }, t('stations.noGuide')),
    el('span', { class: `tag ${behind(channel) < 60 ? 'good' : 'bad'}` }, behind(channel) < 60 ? t('stations.fed') : t('stations.notFed')),
    [day(channel.end), el('div', { class: 'dim small' }, t('stations.ago', { length: length(behind(channel)) }))]];
  show(place, el('h2', {}, t('stations.channels')), el('p', { class: 'dim' }, t('stations.channelsHelp', { hours: number(list.hours) })),
    list.channels.length ? table(t('stations.channels'), ['channel', '-guideNow', 'state', '=lastAudio'], list.channels.map(row))
      : [el('p', { class: 'note' }, t('stations.noChannels')), el('pre', {}, 'earshot admin client add "Feeds" --right channels\nearshot monitor feed seven --url http://tv.example/7 --server https://tv.example --client ID-TAG')]);
}
