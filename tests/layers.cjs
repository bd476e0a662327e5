// Arrows point one way in TypeScript too: each room of pkg-template/src knows only
// those in its list (tests/wings.cjs). `npm test -- --only layers` checks it with dependency-cruiser.

/** Files at the top that every room may use; they use each other alone. */
const BASE = ['alike', 'errors', 'event-generator', 'finish-reason', 'hash', 'joined', 'journal', 'max-pending', 'options', 'own', 'parsed', 'platform', 'provider-name', 'random-id', 'sent-again', 'sources', 'span', 'surrogates', 'untrusted']

const ROOMS = Object.assign({}, ...Object.values(require('./wings.cjs')))

const place = (rooms) => `^pkg-template/src/(${rooms.join('|')})(/|\\.ts$)`

module.exports = {
  forbidden: [
    { name: 'no-cycles', severity: 'error', from: {}, to: { circular: true } },
    { name: 'base', severity: 'error', from: { path: place(BASE) }, to: { path: '^pkg-template/src/', pathNot: place(BASE) } },
    { name: 'no-other-rooms', severity: 'error', from: { path: '^pkg-template/src/', pathNot: place([...BASE, ...Object.keys(ROOMS)]) }, to: {} },
    ...Object.entries(ROOMS).map(([room, below]) => ({
      name: room,
      severity: 'error',
      from: { path: place([room]) },
      to: { path: '^pkg-template/src/', pathNot: place([...BASE, room, ...below]) },
    })),
  ],
  options: { tsPreCompilationDeps: true, doNotFollow: { path: 'node_modules' } },
}
