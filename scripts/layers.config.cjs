// Which folders may import which: a partial order (docs/design/structure.md 6). What stands beside each other knows nothing of each other.

const RECORDS = ['base', 'codec', 'crypto', 'model']
const RULES = [...RECORDS, 'consensus', 'state', 'lanes']
// The daemon knows features as lists: what it routes, configures and runs of them stands in no folder of its own.
const LISTS = [...RULES, 'api', 'features']
const SCHEMAS = [...LISTS, 'feature-schema']
const LEDGER = [...RULES, 'vm', 'executor', 'ledger', 'api', 'feature-schema', 'feature-ledger']
const NODE_SIDE = [...SCHEMAS, 'config', 'events', 'files', 'feature-node']
const DAEMON = [
  ...LISTS,
  'vm',
  'executor',
  'ledger',
  'config',
  'events',
  'files',
  'storage',
  'queue',
  'network',
  'gateway',
  'signer',
  'node',
]
const TOOLS = [...SCHEMAS, 'vm', 'files', 'client', 'cli']

// What each folder may import beside itself, lowest first; the node part of a feature is all of it but schema and ledger.
const MAY_IMPORT = {
  base: [],
  crypto: ['base'],
  codec: ['base', 'crypto'],
  model: ['base', 'codec', 'crypto'],
  vm: ['base', 'codec', 'crypto'],
  consensus: RECORDS,
  state: RECORDS,
  lanes: [...RECORDS, 'consensus', 'state'],
  executor: [...RULES, 'vm'],
  api: RULES,
  config: [...RECORDS, 'files'],
  files: RECORDS,
  storage: [...RECORDS, 'consensus', 'files'],
  queue: [...RECORDS, 'consensus', 'lanes'],
  network: RECORDS,
  // The process that holds a validator key, and how a node speaks to it.
  signer: [...RECORDS, 'consensus', 'config', 'files', 'storage', 'network'],
  ledger: [...RULES, 'executor', 'api'],
  'feature-schema': [...RULES, 'vm', 'api', 'features'],
  'feature-ledger': LEDGER,
  'feature-node': NODE_SIDE,
  // The three lists, what is collected from them, and what their services are made with.
  features: [...LEDGER, ...NODE_SIDE],
  events: [...RULES, 'api'],
  gateway: [...RULES, 'api', 'config', 'events'],
  node: DAEMON,
  client: [...SCHEMAS, 'files'],
  // A program of its own beside the nodes: it reads a gateway and writes a database.
  sink: [...SCHEMAS, 'events', 'client'],
  cli: [...TOOLS, 'sink'],
  simulation: [...RULES, 'queue', 'executor', 'ledger', 'feature-ledger', 'feature-schema', 'features'],
  // Tests of contracts on a ledger in memory: what a block does, without a node.
  scenario: [...LEDGER, 'features'],
  doctor: [...DAEMON, ...TOOLS],
  // Pages of a browser: the shapes of what nodes answer, as types.
  web: SCHEMAS,
}

// What services of features may use of the layers that do input and output.
const SERVICE_SEAMS = '^src/(storage/(integration|ordered)-store|network/outbound/[^/]+)\\.ts$'

/** Of these folders, only what is named may be imported by those that would otherwise not reach in. */
const EXCEPT = [
  // Identifiers of tables and proofs that clients check are data, not the ledger.
  { from: ['client', 'cli', 'doctor'], to: '^src/ledger/ids\\.ts$' },
  // Reading a message is the same in the bridge and in the command line.
  { from: ['cli', 'feature-schema'], to: '^src/features/iso20022/message/' },
  // Assistants get the same tools of a node over HTTP and from the command line.
  { from: ['cli'], to: '^src/features/rpc/mcp/' },
  // Gateway and events know features by what is collected from their schemas.
  { from: ['gateway', 'events'], to: '^src/features/composed\\.ts$' },
  // Requests name accounts and assets by their aliases.
  { from: ['gateway'], to: '^src/features/texts\\.ts$' },
  // What an upgrade asks of a release is looked at before the chain stops for it.
  { from: ['node'], to: '^src/features/upgrades/schema\\.ts$' },
  { from: ['features', 'feature-node'], to: SERVICE_SEAMS },
  // A node watches other gateways as any client does.
  { from: ['feature-node'], to: '^src/client/(client|streams/sse)\\.ts$' },
  // A preview of a change is decided by the rule of the ledger itself.
  { from: ['feature-node'], to: '^src/features/lanes/ledger/change\\.ts$' },
]

// What of `base` uses a clock, a timer or fractions: code that every node must compute alike takes none of them (scripts/purity.rules.mjs).
const IMPURE_BASE = '^src/base/(clocks|sleep|token-bucket|turns)\\.ts$'
const PURE = ['codec', 'model', 'consensus', 'state', 'lanes', 'vm', 'executor', 'ledger', 'feature-ledger']

// A part of a feature is a folder, or one file while it is short.
const SCHEMA_OF = '^src/features/[^/]+/schema[./]'
const LEDGER_OF = '^src/features/[^/]+/ledger[./]'
/** Regular expression of the files of a folder. */
function filesOf(folder) {
  if (folder === 'features') return '^src/features/[^/]+$'
  if (folder === 'feature-schema') return SCHEMA_OF
  if (folder === 'feature-ledger') return LEDGER_OF
  if (folder === 'feature-node') return '^src/features/[^/]+/(?!schema[./]|ledger[./])[^/]+'
  return `^src/${folder}/`
}

const layers = Object.entries(MAY_IMPORT).map(([folder, allowed]) => ({
  name: `${folder}-imports-what-it-may`,
  severity: 'error',
  from: { path: filesOf(folder) },
  to: {
    path: '^(src|commands)/',
    pathNot: [
      filesOf(folder),
      ...allowed.map(filesOf),
      ...EXCEPT.filter(({ from }) => from.includes(folder)).map(({ to }) => to),
    ].join('|'),
  },
}))

module.exports = {
  forbidden: [
    ...layers,
    {
      name: 'what-all-compute-alike-takes-no-clock-and-no-fractions',
      severity: 'error',
      from: { path: PURE.map(filesOf).join('|') },
      to: { path: IMPURE_BASE },
    },
    { name: 'no-cycles', severity: 'error', from: {}, to: { circular: true } },
    {
      name: 'a-feature-imports-another-by-its-schema',
      severity: 'error',
      from: { path: '^src/features/([^/]+)/' },
      to: { path: '^src/features/[^/]+/', pathNot: `^src/features/$1/|${SCHEMA_OF}` },
    },
    {
      name: 'pages-take-types-alone',
      severity: 'error',
      from: { path: '^src/web/' },
      // Code of `base` runs in browsers, too.
      to: {
        path: MAY_IMPORT.web
          .filter((folder) => folder !== 'base')
          .map(filesOf)
          .join('|'),
        // The types of values in manifests are read alike by nodes and pages; the file imports nothing.
        pathNot: '^src/features/contracts/schema/type-texts\\.ts$',
        dependencyTypesNot: ['type-only'],
      },
    },
    {
      name: 'clients-use-the-proofs-of-the-state-and-the-envelopes-of-lanes',
      severity: 'error',
      from: { path: '^src/(client|cli)/' },
      to: { path: '^src/(state/(?!proof)|lanes/(?!envelope))' },
    },
    {
      name: 'only-daemon-commands-use-the-node',
      severity: 'error',
      from: {
        path: '^commands/',
        pathNot:
          '^commands/(node|signer|config|doctor|init|genesis|topology|localnet|block|snapshot|bench|quickstart|lane/(anchor|envelope/verify)|peer)',
      },
      to: { path: '^src/(node|gateway|network|storage|queue)/' },
    },
    {
      // Execution knows the ASCII grammar of names alone: mappings of Unicode change with its versions.
      name: 'only-the-edges-use-unicode-mappings',
      severity: 'error',
      from: { path: '^(src|commands)/', pathNot: '^src/api/user-text\\.ts$' },
      to: { path: '(^|/)node_modules/tr46/' },
    },
    {
      name: 'only-sim-uses-the-simulation',
      severity: 'error',
      from: { path: '^(src|commands)/', pathNot: '^(src/simulation/|commands/sim/)' },
      to: { path: '^src/simulation/' },
    },
  ],
}
