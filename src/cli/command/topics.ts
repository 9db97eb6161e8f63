/** Owns descriptions of command groups for help, both of the program and of features. */
import { FEATURE_TOPICS } from '../../features/composed.js'

/** Groups of commands outside of features. */
const OWN: Readonly<Record<string, string>> = {
  bench: 'Load on a running network, and the speed of this machine',
  block: 'Committed blocks',
  codec: 'Records, their encoding and their schemas',
  config: 'Sources of settings, and the schema of the node configuration',
  consensus: 'Views, certificates, committees and payloads, as seen by one node',
  'consensus evidence': 'Proven faults of validators',
  'consensus rbc': 'Reliable broadcast of payloads',
  events: 'Live events of the ledger',
  genesis: 'Create, sign and verify the genesis of a network',
  key: 'Create keys, show public keys, prove possession',
  'key pop': 'Proofs of possession of BLS keys',
  ledger: 'Owners of objects, and texts in blocks',
  localnet: 'A network of validators on this machine',
  node: 'Run a peer daemon',
  profile: 'Named sets of gateway, key file and timeout',
  proof: 'Proofs against the genesis hash, checked offline',
  signer: 'Hold the key of a validator in a separate process',
  sim: 'Simulate consensus from seeds, and explore small networks',
  sink: 'Database tables that follow the chain',
  snapshot: 'The state at a height as one file: create it, check it, start a node from it',
  topology: 'The initial validators of a network',
  tx: 'Build, sign, send and follow transactions',
}

/** Every group with its description, ordered by name; `npm run manifest` writes them for oclif. */
export function topics(): ReadonlyMap<string, string> {
  const all = new Map(Object.entries(OWN))
  for (const [words, description] of FEATURE_TOPICS) {
    if (all.has(words)) throw new Error(`two features describe the commands \`${words}\``)
    all.set(words, description)
  }
  return new Map([...all].sort(([a], [b]) => (a < b ? -1 : 1)))
}
