/**
 * Owns the server process of the gateway benchmark: gateway, admission, ledger thread, crypto thread and queue log of a
 * node without peers.
 */

import { pino } from 'pino'
import type { NodeServices } from '../../src/api/services.js'
import { DEFAULT_PAYLOAD_LIMITS } from '../../src/consensus/index.js'
import { inlineProofs } from '../../src/crypto/circuits/service.js'
import { CryptoPool } from '../../src/crypto/index.js'
import { NEWEST_ABI } from '../../src/features/abi.js'
import { Gateway } from '../../src/gateway/index.js'
import { chainHashOf, genesisSeed, hashOfHeader, ZERO_HASH } from '../../src/model/index.js'
import { PeerLinks } from '../../src/network/index.js'
import { NodeCore } from '../../src/node/core.js'
import { readGenesisFile } from '../../src/node/genesis/file.js'
import { startLedger } from '../../src/node/ledger/remote.js'
import { TrialThread } from '../../src/node/trials/thread.js'
import { testPeer } from '../support/chain.js'
import { memoryMarks } from '../support/marks.js'
import { CORE } from '../support/served-routes.js'

/** Queue capacity for every transaction of a run: none leaves the queue. */
const QUEUE_CAPACITY = 1_000_000
/** Index outside of the validators of genesis: the node observes, so that only submissions cost time. */
const OBSERVER = 99

/** Usage reported by the node on request. */
export interface NodeUsage {
  readonly cpuSeconds: number
  readonly queued: number
}

const [folder = '', genesisFile = '', admission = 'on'] = process.argv.slice(2)

const fatal = (error: Error): never => {
  process.stderr.write(`${error.stack}\n`)
  process.exit(1)
}

const genesis = await readGenesisFile(NEWEST_ABI, genesisFile)
const keys = await testPeer(OBSERVER)
const ledger = await startLedger(
  { folder, genesisFile, cacheBytes: 64 * 1024 * 1024, treeBits: 16 },
  { onReplay: () => undefined, onLost: fatal },
)
const crypto = new CryptoPool({ threads: 1 })
const logger = pino({ level: 'silent' })
const core = await NodeCore.open({
  version: 'bench',
  dataDir: folder,
  abi: NEWEST_ABI,
  keys: { validator: keys.bls, nextValidator: undefined, network: keys.network, features: new Map() },
  pinned: {
    genesis,
    hash: hashOfHeader(genesis.header),
    chainHash: chainHashOf(genesis.payload.value.chain, genesisSeed(genesis.payload.bytes)),
  },
  ledger,
  crypto,
  proofs: inlineProofs,
  trials: new TrialThread({ folder, genesisAbi: NEWEST_ABI.number }, ledger),
  // Never started: there are no peers.
  transport: new PeerLinks({ seed: keys.network.secret, listen: '127.0.0.1:0', logger }),
  logger,
  queue: { capacity: QUEUE_CAPACITY, capacityPerUser: QUEUE_CAPACITY, durable: true },
  snapshots: { everyBlocks: 0, keep: 2 },
  storage: { retainBlocks: 0 },
  payloads: DEFAULT_PAYLOAD_LIMITS,
  acceptAmnesia: false,
  firstStart: true,
  marks: memoryMarks(),
  onFatal: fatal,
})
await core.start()

/** Responds at once, without processing the transaction. */
const blind: Pick<NodeServices, 'submit'> = {
  submit: async () => ({
    ok: true,
    receipt: {
      transactionHash: ZERO_HASH,
      submittedAtMs: Date.now(),
      submittedAtHeight: 1,
      signer: keys.peer.networkKey,
      signature: Buffer.alloc(64),
    },
    lane: 0,
    dataspace: 0n,
  }),
}
const services: NodeServices = admission === 'on' ? core.services : { ...core.services, ...blind }
const gateway = new Gateway({ address: '127.0.0.1:0', rateLimit: undefined }, { services, ...CORE })
const { port } = await gateway.listen()

process.on('message', () => {
  const { user, system } = process.cpuUsage()
  const usage: NodeUsage = { cpuSeconds: (user + system) / 1e6, queued: core.services.status(true).queueSize }
  process.send?.(usage)
})
process.send?.({ port })
