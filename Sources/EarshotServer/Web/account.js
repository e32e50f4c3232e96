// The account of the person who has signed in: browsers, apps, password, and its end.
import { app, ask, busy, day, el, faultBox, say, show, t } from './page.js';

const sessions = el('section', { class: 'card', 'aria-labelledby': 'sessions' });
const logins = el('section', { class: 'card', 'aria-labelledby': 'logins' });
let author = null;

begin();

async function begin() {
  show(app, busy(t('account.loading')));
  try {
    const list = await ask('/v1/sessions');
    const isOperator = list.some((session) => session.isCurrent && session.isOperator);
    if (!isOperator) author = await readAuthor();
    drawSessions(list, isOperator);
    show(app, el('p', {}, isOperator ? t('account.operatorName') : author ? [t('account.name'), ' ', el('strong', {}, author.name)] : t('account.noName')),
      sessions, isOperator ? null : [author && logins, author && passwordForm(), deletion()]);
    if (author) await loadLogins();
  } catch (failure) {
    if (failure.status === 401 || failure.status === 403) location.assign('/sign-in?back=/account');
    else show(app, faultBox(failure, begin));
  }
}

async function readAuthor() {
  try {
    return await ask('/v1/author');
  } catch (failure) {
    if (failure.status === 404) return null;
    throw failure;
  }
}

// MARK: Browsers

// What a browser calls itself, in words that people know.
function browserName(agent) {
  const browsers = [['Edg', 'Edge'], ['OPR', 'Opera'], ['Firefox', 'Firefox'], ['FxiOS', 'Firefox'], ['Chrome', 'Chrome'], ['CriOS', 'Chrome'], ['Safari', 'Safari']];
  const systems = [['iPhone', 'iPhone'], ['iPad', 'iPad'], ['Android', 'Android'], ['CrOS', 'ChromeOS'], ['Windows', 'Windows'], ['Mac OS', 'macOS'], ['Linux', 'Linux']];
  const browser = browsers.find(([sign]) => agent.includes(`${sign}/`))?.[1];
  const system = systems.find(([sign]) => agent.includes(sign))?.[1];
  return browser && system ? t('account.browserOn', { browser, system }) : browser ?? system ?? t('account.unknownBrowser');
}

function drawSessions(list, isOperator) {
  const others = list.filter((session) => !session.isCurrent);
  show(sessions,
    el('h2', { id: 'sessions', tabindex: '-1' }, t(isOperator ? 'account.operatorSessions' : 'account.sessions')),
    el('p', { class: 'dim' }, t(isOperator ? 'account.operatorHelp' : 'account.sessionsHelp')),
    el('ul', { class: 'plain' }, list.map((session) => el('li', { class: 'item entry' },
      el('div', { class: 'wide' },
        el('div', { title: session.agent }, browserName(session.agent), session.isCurrent ? [' ', el('span', { class: 'tag' }, t('account.thisBrowser'))] : null),
        el('div', { class: 'dim small' }, [
          t('account.began', { date: day(session.began) }), t('account.used', { date: day(session.used) }),
          session.address && t('account.from', { address: session.address }),
        ].filter(Boolean).join(' · '))),
      session.isCurrent ? null : el('button', {
        class: 'second small',
        onclick: (event) => end(event.target, `/v1/sessions/${encodeURIComponent(session.id)}`, 'account.ended', () => loadSessions(isOperator)),
      }, t('account.end'))))),
    others.length
      ? el('p', {}, el('button', { class: 'second', onclick: (event) => end(event.target, '/v1/sessions', 'account.endedOthers', () => loadSessions(isOperator)) }, t('account.endOthers')))
      : el('p', { class: 'dim small' }, t('account.onlyThis')));
}

async function loadSessions(isOperator) { drawSessions(await ask('/v1/sessions'), isOperator); }

// Ends sessions or log-ins, and shows what is left.
async function end(button, path, done, reload) {
  const section = button.closest('section');
  section.querySelector('.fault')?.remove();
  button.disabled = true;
  try {
    try {
      await ask(path, { method: 'DELETE' });
    } catch (failure) {
      // It has ended meanwhile.
      if (failure.status !== 404) throw failure;
    }
    await reload();
    say(t(done));
    section.querySelector('h2').focus();
  } catch (failure) {
    button.disabled = false;
    section.append(faultBox(failure));
  }
}

// MARK: Apps

async function loadLogins() {
  show(logins, busy());
  try {
    drawLogins(await ask('/v1/author/logins'));
  } catch (failure) {
    show(logins, faultBox(failure, loadLogins));
  }
}

function drawLogins(list) {
  // The log-in of these pages is that of the browsers above.
  const apps = list.filter((login) => !login.isCurrent);
  show(logins,
    el('h2', { id: 'logins', tabindex: '-1' }, t('account.logins')),
    apps.length
      ? [el('p', { class: 'dim' }, t('account.loginsHelp')),
        el('ul', { class: 'plain' }, apps.map((login) => el('li', { class: 'item entry' },
          el('div', { class: 'wide' }, el('div', {}, login.name || login.client), el('div', { class: 'dim small' }, t('account.loggedInSince', { date: day(login.began) }))),
          el('button', {
            class: 'second small', onclick: (event) => end(event.target, `/v1/author/logins/${encodeURIComponent(login.id)}`, 'account.loggedOut', loadLogins),
          }, t('account.logOut'))))),
        apps.length > 1 ? el('p', {}, el('button', { class: 'second', onclick: (event) => end(event.target, '/v1/author/logins', 'account.loggedOut', loadLogins) }, t('account.logOutAll'))) : null]
      : el('p', { class: 'dim' }, t('account.noLogins')));
}

// MARK: Password

function passwordForm() {
  const field = (label, autocomplete) => {
    const input = el('input', { type: 'password', required: true, autocomplete, maxlength: 200 });
    return [input, el('label', {}, t(label), input)];
  };
  const [current, currentLabel] = field('account.current', 'current-password');
  const [fresh, freshLabel] = field('account.new', 'new-password');
  const [again, againLabel] = field('account.repeat', 'new-password');
  const button = el('button', {}, t('account.change'));
  const told = el('div', { role: 'status' });
  const fail = (input, text) => { show(told, el('p', { class: 'bad' }, text)); input.setAttribute('aria-invalid', 'true'); input.focus(); };
  const form = el('form', {
    class: 'card', 'aria-labelledby': 'password',
    onsubmit: async (event) => {
      event.preventDefault();
      for (const input of [current, fresh, again]) input.removeAttribute('aria-invalid');
      if ([...fresh.value].length < 8) { fail(fresh, t('account.short')); return; }
      if (fresh.value !== again.value) { fail(again, t('account.different')); return; }
      button.disabled = true;
      show(told, busy());
      try {
        await ask('/v1/author', { method: 'PUT', json: { name: author.name, password: fresh.value, currentPassword: current.value } });
        form.reset();
        show(told, el('p', { class: 'good' }, t('account.changed')));
        await Promise.all([loadSessions(false), loadLogins()]);
      } catch (failure) {
        if (failure.code === 'accessDenied') fail(current, t('account.wrong'));
        else show(told, faultBox(failure));
      } finally {
        button.disabled = false;
      }
    },
  },
  el('h2', { id: 'password' }, t('account.password')),
  // Password managers tell by it whose password it is.
  el('input', { type: 'text', class: 'sr', autocomplete: 'username', value: author.name, readonly: true, tabindex: '-1', 'aria-hidden': 'true' }),
  currentLabel, freshLabel, el('p', { class: 'dim small' }, t('account.rules')), againLabel, told, el('p', {}, button));
  return form;
}

// MARK: Deletion

function deletion() {
  const name = author?.name ?? '';
  const typed = el('input', { type: 'text', autocomplete: 'off', autocapitalize: 'none', oninput: () => { now.disabled = typed.value.trim() !== name; } });
  const now = el('button', { class: 'danger', disabled: name !== '', onclick: () => remove(dialog) }, t('account.deleteNow'));
  const dialog = el('dialog', { 'aria-labelledby': 'delete-title' },
    el('h2', { id: 'delete-title' }, name ? t('account.deleteTitle', { name }) : t('account.delete')),
    el('p', {}, t('account.deleteHelp')),
    name ? el('label', {}, t('account.deleteType', { name }), typed) : null,
    el('div', { class: 'row' }, el('button', { class: 'second', onclick: () => dialog.close() }, t('account.cancel')), now));
  return el('section', { class: 'card' },
    el('h2', {}, t('account.delete')),
    el('p', {}, t('account.deleteHelp')),
    el('p', { class: 'row' },
      el('button', { class: 'danger', onclick: () => { typed.value = ''; now.disabled = name !== ''; dialog.showModal(); (name ? typed : dialog.querySelector('button')).focus(); } }, t('account.deleteBegin')),
      el('a', { href: '/history' }, t('account.history'))),
    dialog);
}

async function remove(dialog) {
  const buttons = [...dialog.querySelectorAll('button')];
  buttons.forEach((button) => { button.disabled = true; });
  dialog.querySelector('.fault')?.remove();
  try {
    try {
      if (author) await ask('/v1/author', { method: 'DELETE' });
    } catch (failure) {
      // Removed when this was tried before.
      if (failure.status !== 404) throw failure;
    }
    author = null;
    await ask('/v1/users/me', { method: 'DELETE' });
  } catch (failure) {
    buttons.forEach((button) => { button.disabled = false; });
    dialog.append(faultBox(failure));
    return;
  }
  dialog.close();
  document.querySelector('.who')?.remove();
  show(app, el('p', { class: 'note', role: 'status', tabindex: '-1' }, t('account.deleted')), el('p', {}, el('a', { href: '/' }, t('frame.recognize'))));
  app.querySelector('.note').focus();
}
