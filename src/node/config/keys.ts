/**
 * Owns the table of configuration keys: path, kind, default and documentation; file, environment, template and schema
 * are derived from it.
 */

import { SNAPSHOTS_KEPT_MAX } from '../../api/schema/snapshots.js'
import { integer, type KeyDef, type Kind } from '../../config/index.js'
import { PAYLOAD_LIMIT_ROWS } from '../../consensus/index.js'
import { rangeFault } from '../../network/outbound/address-rule.js'
import { DEFAULT_TREE_BITS } from '../../state/index.js'
import { FEATURE_CONFIGS, FEATURE_KEY_FILES, OPTIONAL_FEATURES } from './features.js'
import { GATEWAY_KEYS } from './gateway-keys.js'

/** Documentation of the node's own sections. */
const SECTIONS = {
  genesis: 'Genesis of the network.',
  keys: 'Key files of this node; each must have mode 0600. `causeway key generate` creates them.',
  signer:
    'A separate process that holds the validator key instead of `keys.validator`: `causeway signer start`. Absent: the node signs itself.',
  standby:
    'Hot standby: nodes of one validator that share a signer. The node without the lease follows as the observer of these keys, and takes over.',
  consensus: 'Selection of validators.',
  lanes: 'Lane settings that this node expects; the chain decides.',
  network: 'Links to peers: mutual TLS, pinned to the network keys of the topology.',
  gateway: 'The HTTP interface for clients.',
  queue: 'Transactions waiting for a block.',
  rbc: 'Reliable broadcast of large payloads: proposed by hashes, sent in chunks, kept for recovery.',
  outbound:
    'Requests of this node to addresses given by clients, such as webhook endpoints: to public hosts, by https.',
  log: 'Log output in JSON lines.',
  state: 'The state database.',
  storage: 'Blocks on disk.',
  snapshots: 'Snapshots that this node creates while it runs, and offers to new peers.',
  crypto: 'Threads for signature verification.',
  features: 'Features that this node serves.',
}

/** Telemetry profiles of specification 8.3. */
export const TELEMETRY_PROFILES = ['disabled', 'operator', 'extended', 'developer', 'full'] as const
export type TelemetryProfile = (typeof TELEMETRY_PROFILES)[number]

/** Levels of the log, least verbose first. */
export const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace'] as const
export type LogLevel = (typeof LOG_LEVELS)[number]

/** Initial sync modes of a node without data. */
export const SYNC_MODES = ['blocks', 'snapshot'] as const
export type SyncMode = (typeof SYNC_MODES)[number]

/** Kind of a list of address ranges. */
const RANGES: Kind = { type: 'texts', values: ['ranges'], fault: rangeFault }

const KEYS: readonly KeyDef[] = [
  {
    path: ['data_dir'],
    kind: { type: 'path' },
    fallback: 'data',
    doc: [
      'Folder of blocks, state and vote logs, used by one process at a time. Relative to this file, like all paths.',
    ],
  },
  {
    path: ['sync'],
    kind: { type: 'choice', values: SYNC_MODES },
    fallback: 'blocks',
    doc: [
      'Initial sync of a node without data. blocks: every block from genesis on; snapshot: the newest snapshot of a peer',
      'and the blocks after it, or blocks if no peer has a snapshot.',
    ],
  },
  {
    path: ['genesis', 'file'],
    kind: { type: 'path' },
    fallback: 'genesis.signed',
    doc: ['Signed genesis file, the same on every node of the network.'],
  },
  {
    path: ['genesis', 'hash'],
    kind: { type: 'hash' },
    required: true,
    example: '0'.repeat(64),
    doc: ['Hash of the genesis block, from `causeway genesis verify`: the root of trust of the node.'],
  },
  {
    path: ['keys', 'validator'],
    kind: { type: 'path' },
    fallback: 'keys/validator.json',
    doc: ['BLS key that signs votes. Never run two nodes with the same validator key. A `signer` replaces this file.'],
  },
  {
    path: ['keys', 'next_validator'],
    kind: { type: 'path' },
    example: 'keys/validator-2.json',
    doc: ['BLS key of a rotation: the node signs with it from the height at which the ledger activates it.'],
  },
  {
    path: ['keys', 'network'],
    kind: { type: 'path' },
    fallback: 'keys/network.json',
    doc: ['Ed25519 key that identifies this node to its peers and signs receipts.'],
  },
  {
    path: ['signer', 'socket'],
    kind: { type: 'path' },
    example: '/run/causeway/signer.sock',
    doc: ['Unix socket of a signer on this machine. Alternatively set `address` and `key`.'],
  },
  {
    path: ['signer', 'address'],
    kind: { type: 'host-port' },
    example: 'signer.example:7450',
    doc: ['Address of a signer on another machine, over mutual TLS.'],
  },
  {
    path: ['signer', 'key'],
    kind: { type: 'text' },
    example: 'ed0120...',
    doc: ['Expected public key of the signer: its `identity`.'],
  },
  {
    path: ['signer', 'validator'],
    kind: { type: 'text' },
    example: 'ea0130...',
    doc: ['Public key of the validator, whose secret is held by the signer.'],
  },
  {
    path: ['signer', 'next'],
    kind: { type: 'text' },
    example: 'ea0130...',
    doc: ['Public key of a rotation, like `keys.next_validator`.'],
  },
  {
    path: ['standby', 'validator'],
    kind: { type: 'path' },
    example: 'keys/standby-validator.json',
    doc: ['BLS key of the observer as which this node is registered.'],
  },
  {
    path: ['standby', 'network'],
    kind: { type: 'path' },
    example: 'keys/standby-network.json',
    doc: [
      "Ed25519 key of that observer, by which the signer identifies this node. `keys.network` is the validator's on both nodes.",
    ],
  },
  {
    path: ['consensus', 'consensus_mode'],
    kind: { type: 'choice', values: ['permissioned', 'npos'] },
    example: 'npos',
    doc: [
      'Expected consensus mode: that of the chain at the last block of this node, or the pending one;',
      'otherwise the node stops with an error. Omit it to follow the chain, also through changes of the mode.',
    ],
  },
  {
    path: ['consensus', 'epoch_length_blocks'],
    kind: integer(1, 100_000_000),
    example: 3600,
    doc: ['Must equal the parameter of the same name in genesis; otherwise the node stops with an error.'],
  },
  {
    path: ['consensus', 'npos_timeouts'],
    kind: { type: 'text' },
    example: '300,250,150,150,150',
    doc: [
      'Timeouts of propose, payload, execute, prepare and commit in ms, equal to `npos_timeouts` in genesis;',
      'otherwise the node stops with an error.',
    ],
  },
  {
    path: ['lanes', 'enabled'],
    kind: { type: 'boolean' },
    example: true,
    doc: ['Must equal the chain parameter `lanes.enabled`; otherwise the node stops with an error.'],
  },
  {
    path: ['network', 'listen'],
    kind: { type: 'host-port' },
    fallback: '0.0.0.0:7400',
    doc: ['Listen address for links of peers.'],
  },
  ...GATEWAY_KEYS,
  {
    path: ['queue', 'capacity'],
    kind: integer(1, 1_000_000),
    fallback: 65_536,
    doc: ['Maximum queued transactions; beyond it clients get 429 `queue_full`.'],
  },
  {
    path: ['queue', 'capacity_per_user'],
    kind: integer(1, 1_000_000),
    fallback: 16_384,
    doc: ['Maximum queued transactions of one account.'],
  },
  {
    path: ['queue', 'durable'],
    kind: { type: 'boolean' },
    fallback: true,
    doc: ['Issue a receipt only after the transaction is on disk, so that it survives a crash.'],
  },
  {
    path: ['outbound', 'allow_http'],
    kind: { type: 'boolean' },
    fallback: false,
    doc: ['Also allow plain http, which others on the network path can read and change.'],
  },
  {
    path: ['outbound', 'allow'],
    kind: RANGES,
    fallback: [],
    doc: ['Address ranges that may be called although they are not public, such as "10.1.0.0/16".'],
  },
  {
    path: ['outbound', 'deny'],
    kind: RANGES,
    fallback: [],
    doc: ['Address ranges that are never called.'],
  },
  {
    path: ['telemetry', 'profile'],
    kind: { type: 'choice', values: TELEMETRY_PROFILES },
    fallback: 'operator',
    doc: [
      'disabled: neither status nor metrics; operator: status; extended: status and metrics;',
      'developer: status and developer routes; full: all.',
    ],
  },
  {
    path: ['log', 'level'],
    reloads: true,
    kind: { type: 'choice', values: LOG_LEVELS },
    fallback: 'info',
    doc: ['fatal, error, warn, info (one line per block), debug or trace.'],
  },
  {
    path: ['log', 'file'],
    kind: { type: 'path' },
    example: 'node.log',
    doc: ['File to append log lines to; absent: standard output.'],
  },
  {
    path: ['state', 'cache_mib'],
    kind: integer(1, 65_536),
    fallback: 64,
    doc: ['Memory for cached records, in MiB. The state itself can be far larger.'],
  },
  {
    path: ['state', 'tree_bits'],
    kind: integer(4, 20),
    fallback: DEFAULT_TREE_BITS,
    doc: [
      'Initial depth of the state tree in memory: 2^bits buckets, 17 MB at 18. A crowded tree deepens by 2, at most to 20, 69 MB.',
      'Local to the node; fixed at first start.',
    ],
  },
  {
    path: ['storage', 'retain_blocks'],
    kind: integer(0, 1_000_000_000),
    fallback: 0,
    doc: [
      'Number of newest blocks to keep with their results and read indexes; 0: all. Blocks after the oldest snapshot',
      'on this node are kept longer, and up to twice as many for webhooks that are behind. Headers, certificates and state are kept.',
      'Members that were offline for longer must restart from a snapshot. Export before you prune: `causeway block export`.',
    ],
  },
  {
    path: ['snapshots', 'every_blocks'],
    kind: integer(0, 100_000_000),
    fallback: 0,
    doc: ['Interval of snapshots in blocks, at multiples of this height; 0: only by `causeway snapshot create`.'],
  },
  {
    path: ['snapshots', 'keep'],
    kind: integer(1, SNAPSHOTS_KEPT_MAX),
    fallback: 2,
    doc: [
      'Number of newest snapshots to keep. Each uses about as much disk as the rows of the state, and 700 bytes per block.',
    ],
  },
  {
    path: ['snapshots', 'trust_block'],
    kind: { type: 'hash' },
    example: '0'.repeat(64),
    doc: [
      'Hash of a trusted block, for `sync = "snapshot"` when validators changed so long ago that certificates from',
      'genesis on no longer prove the state. Use a recent block from a node that you trust.',
    ],
  },
  {
    path: ['crypto', 'threads'],
    kind: integer(0, 64),
    fallback: 0,
    doc: ['Worker threads for signatures; 0: one per core besides consensus and ledger, 1 to 4.'],
  },
  {
    path: ['features', 'off'],
    kind: { type: 'choices', values: OPTIONAL_FEATURES },
    fallback: [],
    doc: [
      'Features whose routes this node does not serve: they answer 404 `route_not_enabled` and are left out of OpenAPI and capabilities.',
      'Their state on the chain is kept, and their transactions and queries still work.',
    ],
  },
  ...PAYLOAD_LIMIT_ROWS.map(
    (row): KeyDef => ({
      path: ['rbc', row.key],
      kind: integer(row.min, row.max),
      fallback: row.fallback,
      doc: row.doc,
    }),
  ),
]

const sectionOf = ({ path }: KeyDef): string => path.slice(0, -1).join('.')

/** Keys grouped by section, with sections in order of first occurrence: a file has each section once. */
function bySection(keys: readonly KeyDef[]): readonly KeyDef[] {
  const sections = [...new Set(keys.map(sectionOf))]
  return sections.flatMap((section) => keys.filter((key) => sectionOf(key) === section))
}

const KEY_FILES: readonly KeyDef[] = FEATURE_KEY_FILES.map(({ name, doc }) => ({
  path: ['keys', name],
  kind: { type: 'path' },
  example: `keys/${name}.json`,
  doc,
}))

/** All keys: those of the node first, then those of features. */
export const NODE_KEYS: readonly KeyDef[] = bySection([
  ...KEYS,
  ...KEY_FILES,
  ...FEATURE_CONFIGS.flatMap(([, { keys }]) => keys),
])
/** Documentation of each section, by its dotted name. */
export const SECTION_DOCS: Readonly<Record<string, string>> = Object.assign(
  {},
  SECTIONS,
  ...FEATURE_CONFIGS.map(([, { sections }]) => sections),
)

/** Dotted names of the keys that can be reloaded. */
export const RELOADED_KEYS: ReadonlySet<string> = new Set(
  NODE_KEYS.flatMap(({ path, reloads }) => (reloads === true ? [path.join('.')] : [])),
)
