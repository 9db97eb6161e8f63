// The one-way import rules, lowest layer first. A layer may import itself and whatever stands before it.
const order = [
  ['codec', 'crypto'],
  ['model'],
  ['consensus'],
  ['state'],
  ['lanes'],
  ['executor'],
  ['api', 'config'],
  ['ledger'],
  ['features'],
  ['files'],
  ['storage', 'queue'],
  ['network'],
  ['gateway'],
  ['node'],
]

const path = (names) => `^src/(${names.join('|')})/`
const layerOf = new Map(order.flatMap((names, level) => names.map((name) => [name, level])))
const upward = order.slice(0, -1).map((names, level) => ({
  name: `${names.join('-and-')}-imports-only-down`,
  severity: 'error',
  from: { path: path(names), pathNot: '\\.test\\.ts$' },
  to: {
    path: `^(src/(${[...[...layerOf].filter(([, at]) => at > level).map(([name]) => name), 'client', 'cli', 'dashboard', 'simulation'].join('|')})/|commands/)`,
  },
}))

module.exports = {
  forbidden: [
    ...upward,
    { name: 'no-cycles', severity: 'error', from: {}, to: { circular: true } },
    {
      name: 'node-stands-above-the-tools',
      severity: 'error',
      from: { path: '^src/node/' },
      to: { path: '^(src/(client|cli|dashboard|simulation)/|commands/)' },
    },
    {
      name: 'client-knows-schemas-only',
      severity: 'error',
      from: { path: '^src/client/' },
      to: {
        path: '^(src/(executor|storage|queue|network|gateway|node|cli|dashboard|simulation)/|src/state/(?!proof)|src/lanes/(?!envelope)|src/ledger/(?!ids)|src/features/[^/]+/(?!schema)|commands/)',
      },
    },
    {
      name: 'cli-and-dashboard-use-the-client',
      severity: 'error',
      from: { path: '^src/(cli|dashboard)/' },
      to: {
        path: '^(src/(executor|storage|queue|network|gateway|node|simulation)/|src/lanes/(?!envelope)|src/ledger/(?!ids)|commands/)',
      },
    },
    {
      name: 'only-daemon-commands-use-the-node',
      severity: 'error',
      from: {
        path: '^commands/',
        pathNot:
          '^commands/(node|config|doctor|init|genesis|topology|localnet|block|snapshot|bench|quickstart|lane/(anchor|envelope/verify)|ledger/peer)',
      },
      to: { path: '^src/(node|gateway|network|storage|queue)/' },
    },
    {
      name: 'only-sim-uses-the-simulation',
      severity: 'error',
      from: { path: '^(src|commands)/', pathNot: '^(src/simulation/|commands/sim/)' },
      to: { path: '^src/simulation/' },
    },
  ],
}
