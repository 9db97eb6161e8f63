/** Snapshots of elected validators: a node that began by one makes others that prove as much. */

import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { selectCommittee } from '../../../src/consensus/index.js'
import { loadBls } from '../../../src/crypto/bls-load.js'
import { InlineCrypto } from '../../../src/crypto/index.js'
import { ABI_2 } from '../../../src/features/abi.js'
import { queries as explorerQueries } from '../../../src/features/explorer/schema/queries.js'
import { genesisStaking } from '../../../src/features/staking/ledger/genesis.js'
import {
  accountKeyOf,
  accountOfKey,
  chainHashOf,
  composeBody,
  genesisSeed,
  hashOfHeader,
} from '../../../src/model/index.js'
import type { PinnedGenesis } from '../../../src/node/identity/identity.js'
import { openLedger } from '../../../src/node/ledger/open.js'
import { createSnapshot } from '../../../src/node/offline/create-snapshot.js'
import type { OfflinePlace } from '../../../src/node/offline/offline.js'
import { restoreSnapshot } from '../../../src/node/offline/restore-snapshot.js'
import { verifyBlocks } from '../../../src/node/offline/verify-blocks.js'
import { openDataDir } from '../../../src/storage/index.js'
import { certificateOf } from '../../support/certificates.js'
import {
  CHAIN,
  DEFINITION,
  type TestAccount,
  type TestPeer,
  temporaryFolder,
  testAccount,
  testGenesis,
  testPeer,
} from '../../support/chain.js'
import { templateAfter } from '../../support/headers.js'

const TREE_BITS = 18
/** Blocks of an epoch, and how many epochs begin. */
const EPOCH_BLOCKS = 40
const EPOCHS = 3
const PARAMETERS: Readonly<Record<string, unknown>> = {
  stake_asset: DEFINITION,
  epoch_length_blocks: EPOCH_BLOCKS,
  staking_commit_blocks: 8,
  staking_election_blocks: 2,
  staking_reveal_blocks: 10,
  // The state forgets the rosters of the first epochs.
  evidence_horizon_blocks: 50,
}

let root: Awaited<ReturnType<typeof temporaryFolder>>
let crypto: InlineCrypto
let peers: readonly TestPeer[]
let pinned: PinnedGenesis
let place: OfflinePlace

const encoded = ([name, value]: readonly [string, unknown]): [string, Uint8Array] => {
  const def = ABI_2.parameters.find((one) => one.name === name)
  if (def === undefined) throw new Error(`no parameter ${name}`)
  return [name, def.schema.encode(value)]
}

/** Stake of each peer from genesis on, equal for all: so the same validators are elected in every epoch. */
const staked = ({ peer, network }: TestPeer, { id }: TestAccount) => ({
  account: id,
  bond: { mantissa: 1_000n, scale: 0 },
  ...peer,
  operator: accountOfKey(accountKeyOf('ed25519', network.publicKey.bytes)),
  commissionBps: 0,
  entity: undefined,
})

/** A node that has the blocks of the first epochs, each certified by three of four. */
async function makeChain(folder: string): Promise<void> {
  const { genesis, chainHash } = pinned
  const held = await openDataDir(folder, { chain: CHAIN, genesisHash: pinned.hash })
  const ledger = await openLedger({ folder, genesis, abi: ABI_2 })
  const bls = await loadBls()
  try {
    for (let tip = await ledger.tip(); tip.height < EPOCH_BLOCKS * EPOCHS + 10; tip = await ledger.tip()) {
      const height = tip.height + 1
      const body = composeBody(tip.certificate, [], [])
      const built = await ledger.build({ header: templateAfter(tip, genesis), body, hashes: Buffer.alloc(0) })
      if (built.header === undefined) throw new Error(JSON.stringify(built.invalid))
      const { roster, seed, epoch } = tip.schedule
      const context = { committee: selectCommittee(roster, chainHash, seed, height), chainHash, epoch, height }
      const certificate = certificateOf(context as never, peers, 'commit', built.header, undefined, undefined, bls)
      await ledger.commit({ certified: { header: built.header, certificate } })
    }
  } finally {
    await ledger.close()
    await held.close()
  }
}

beforeAll(async () => {
  root = await temporaryFolder()
  crypto = await InlineCrypto.create()
  peers = await Promise.all([0, 1, 2, 3].map((index) => testPeer(index)))
  const accounts = await Promise.all(peers.map((_, index) => testAccount(`staker ${index}`)))
  const validators = peers.map((peer, index) => staked(peer, accounts[index] as TestAccount))
  const { genesis } = await testGenesis({
    peers,
    accounts,
    abi: ABI_2,
    mode: 'npos',
    parameters: new Map(Object.entries(PARAMETERS).map(encoded)),
    extra: genesisStaking.instructionsOf({ validators, nominators: [] }),
  })
  const chainHash = chainHashOf(CHAIN, genesisSeed(genesis.payload.bytes))
  pinned = { genesis, hash: hashOfHeader(genesis.header), chainHash }
  place = { folder: join(root.path, 'first'), abi: ABI_2, pinned }
  await makeChain(place.folder)
})
afterAll(async () => {
  await crypto.close()
  await root.remove()
})

it('a snapshot made by a node that started from a snapshot proves every header, and its blocks are valid', async () => {
  let from = place
  for (const name of ['second', 'third']) {
    const path = join(root.path, `${name}.snapshot`)
    const { height } = await createSnapshot(from, path)
    const next = { ...place, folder: join(root.path, name) }
    const loaded = await restoreSnapshot(next, { path, crypto, treeBits: TREE_BITS })
    expect([loaded.height, loaded.provenTo]).toEqual([height, height])
    expect(await verifyBlocks(next, crypto)).toMatchObject({ height, provenTo: height, fault: undefined })
    from = next
  }
})

it('a node that started from a snapshot finds earlier blocks by their hash', async () => {
  const codec = ABI_2.codec('cw')
  const ledger = await openLedger({ folder: join(root.path, 'third'), genesis: pinned.genesis, abi: ABI_2 })
  try {
    const { certified } = await ledger.certificate({ height: 7 })
    const hash = hashOfHeader(certified?.header ?? pinned.genesis.header)
    const input = explorerQueries.block.input.encode({ height: undefined, hash }, codec)
    const { output } = await ledger.query({ kind: explorerQueries.block.kind, input })
    expect(explorerQueries.block.output.decode(output ?? Buffer.alloc(0), codec)).toMatchObject({
      value: { height: 7 },
    })
  } finally {
    await ledger.close()
  }
})
