// The ancestry of a piece as a picture: above it what it is based on, below it what is based on it.
import { ask, el, t } from './page.js';
import { svg } from './player.js';

const [width, height, gapX, gapY] = [172, 54, 20, 46];
// More would be no picture any more.
const limit = 40;

export async function showTree(place, id) {
  const base = `/v1/pieces/${encodeURIComponent(id)}`;
  let own, above, below;
  try {
    [own, above, below] = await Promise.all([ask(base), ask(`${base}/ancestors?limit=${limit}`), ask(`${base}/descendants?limit=${limit}`)]);
  } catch {
    // The lists of the page say who the parents and children are.
    return;
  }
  if (!above.relatives.length && !below.relatives.length) return;
  const nodes = [
    ...above.relatives.map((entry) => ({ ...entry, level: -entry.distance })), { ...own, level: 0, isOwn: true },
    ...below.relatives.map((entry) => ({ ...entry, level: entry.distance })),
  ];
  const frame = el('div', { class: 'table tree' }, draw(nodes));
  place.prepend(el('h2', {}, t('piece.ancestry')), frame,
    above.relatives.length === limit || below.relatives.length === limit ? el('p', { class: 'dim small' }, t('piece.treeLimit', { count: limit })) : '');
  frame.scrollLeft = (frame.scrollWidth - frame.clientWidth) / 2;
}

// Everybody stands below all of whom they are based on: the service counts the steps of the shortest way.
function settle(nodes) {
  const known = new Map(nodes.map((node) => [node.id, node]));
  for (let round = 0; round < nodes.length; round += 1) {
    let isSettled = true;
    for (const node of nodes) {
      for (const parent of (node.basedOn ?? []).map((id) => known.get(id)).filter((found) => found && found.level >= node.level)) {
        isSettled = false;
        if (node.level > 0) node.level = parent.level + 1;
        else parent.level = node.level - 1;
      }
    }
    if (isSettled) return;
  }
}

function draw(nodes) {
  settle(nodes);
  const levels = [...new Set(nodes.map((node) => node.level))].sort((a, b) => a - b);
  const rows = levels.map((level) => nodes.filter((node) => node.level === level));
  const most = Math.max(...rows.map((row) => row.length));
  const whole = [most * (width + gapX) - gapX + 8, rows.length * (height + gapY) - gapY + 8];
  const known = new Map(nodes.map((node) => [node.id, node]));
  rows.forEach((row, line) => {
    // Each stands near those above it.
    const middle = (node) => {
      const parents = (node.basedOn ?? []).map((parent) => known.get(parent)).filter((parent) => parent?.x !== undefined);
      return parents.length ? parents.reduce((sum, parent) => sum + parent.x, 0) / parents.length : 0;
    };
    if (line) row.sort((a, b) => middle(a) - middle(b));
    const begin = 4 + (whole[0] - 8 - (row.length * (width + gapX) - gapX)) / 2;
    row.forEach((node, column) => Object.assign(node, { x: begin + column * (width + gapX), y: 4 + line * (height + gapY) }));
  });
  const edges = nodes.flatMap((node) => (node.basedOn ?? []).map((parent) => known.get(parent)).filter(Boolean).map((parent) => edge(parent, node)));
  const boxes = nodes.map(box);
  const picture = svg('svg', { viewBox: `0 0 ${whole[0]} ${whole[1]}`, width: whole[0], height: whole[1], role: 'group', 'aria-label': t('piece.ancestry') }, edges, boxes);
  picture.addEventListener('keydown', (event) => move(event, nodes, boxes));
  return picture;
}

function edge(from, to) {
  const [x1, y1, x2, y2] = [from.x + width / 2, from.y + height, to.x + width / 2, to.y];
  const bend = (y2 - y1) / 2;
  // Around those that stand between.
  const aside = to.level - from.level > 1 && Math.abs(x1 - x2) < width / 2 ? width * 0.85 : 0;
  if (aside) return svg('path', { class: 'edge', d: `M${x1} ${y1}C${x1 + aside} ${y1 + 20} ${x2 + aside} ${y2 - 20} ${x2} ${y2}` });
  return svg('path', { class: 'edge', d: `M${x1} ${y1}C${x1} ${y1 + bend} ${x2} ${y2 - bend} ${x2} ${y2}` });
}

const pen = document.createElement('canvas').getContext('2d');

// As much of a text as fits into a box.
function cut(text, size) {
  pen.font = `${size}px ${getComputedStyle(document.body).fontFamily}`;
  const letters = [...text];
  const fits = (count) => pen.measureText(letters.slice(0, count).join('')).width <= width - 26;
  if (fits(letters.length)) return text;
  let count = Math.min(letters.length, 40);
  while (count > 1 && !fits(count)) count -= 1;
  return `${letters.slice(0, count - 1).join('')}…`;
}

function box(node) {
  const title = node.title ?? t(node.isRemoved ? 'piece.removedPiece' : 'piece.hiddenPiece');
  const steps = node.level < 0 ? 'piece.above' : 'piece.below';
  const label = [title, node.author, node.isOwn ? t('piece.this') : t(steps, { count: Math.abs(node.level) })].filter(Boolean).join(', ');
  const content = [
    svg('title', {}, label),
    svg('rect', { x: node.x, y: node.y, width, height, rx: 9 }),
    svg('text', { x: node.x + 12, y: node.y + (node.author ? 23 : 32), class: 'name' }, cut(title, 14)),
    node.author ? svg('text', { x: node.x + 12, y: node.y + 42, class: 'author' }, cut(node.author, 12)) : null,
  ];
  if (node.isOwn) return svg('g', { class: 'node own', tabindex: 0, role: 'img', 'aria-label': label }, content);
  if (!node.title) return svg('g', { class: 'node lost', role: 'img', 'aria-label': label }, content);
  return svg('a', { class: 'node', href: `/pieces/${encodeURIComponent(node.id)}`, 'aria-label': label }, content);
}

// The arrow keys lead to the nearest piece in their direction.
function move(event, nodes, boxes) {
  const direction = { ArrowUp: [0, -1], ArrowDown: [0, 1], ArrowLeft: [-1, 0], ArrowRight: [1, 0] }[event.key];
  const now = nodes[boxes.indexOf(event.target.closest('.node'))];
  if (!direction || !now) return;
  const far = (node) => {
    const [dx, dy] = [node.x - now.x, node.y - now.y];
    const along = dx * direction[0] + dy * direction[1];
    const aside = Math.abs(dx * direction[1]) + Math.abs(dy * direction[0]);
    return along > 0 ? along + aside * (direction[0] ? 100 : 1) : Infinity;
  };
  const next = nodes.filter((node) => (node.isOwn || node.title) && far(node) < Infinity).sort((a, b) => far(a) - far(b))[0];
  if (!next) return;
  event.preventDefault();
  boxes[nodes.indexOf(next)].focus();
}
