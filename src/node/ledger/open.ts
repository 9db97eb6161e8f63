/** Owns the opening of a ledger: genesis if it is empty, replay if the state is behind the block store. */
import { join } from 'node:path'
import { sameBytes } from '../../base/bytes.js'
import { type Abi, abiScheduleOf } from '../../executor/index.js'
import { hashOfHeader, LedgerError, type SignedGenesis } from '../../model/index.js'
import { LevelBackend, WorldState } from '../../state/index.js'
import { BlockStore, failPoint } from '../../storage/index.js'
import { applyGenesis } from '../chain/genesis.js'
import { type Closers, openAll } from '../process/closers.js'
import type { CurrentView } from './current-view.js'
import { Ledger } from './ledger.js'
import { runSelfChecks } from './self-checks.js'

/** Options for opening a ledger. */
export interface LedgerOptions {
  /** Data directory; the caller has locked it and checked its format. */
  readonly folder: string
  readonly genesis: SignedGenesis
  /** ABI of genesis, and every ABI of this release; default: the ABI of genesis alone. */
  readonly abi: Abi
  readonly abis?: ReadonlyMap<number, Abi>
  readonly cacheBytes?: number
  readonly treeBits?: number
  /** Current view of consensus, if another thread writes it. */
  readonly view?: CurrentView
  /** Called while blocks are replayed. */
  readonly onReplay?: (height: number, target: number) => void
  /** Checked before each replayed block; true ends the opening with `node_stopping`. */
  readonly stopped?: () => boolean
}

/**
 * Open block store and state, replay up to the last stored block, and check every root. Closes everything on failure.
 */
export const openLedger = (options: LedgerOptions): Promise<Ledger> =>
  openAll((opened) => openAndReplay(options, opened))

async function openAndReplay(options: LedgerOptions, opened: Closers): Promise<Ledger> {
  const { folder, genesis } = options
  const line = abiScheduleOf(options)
  const { abi } = line
  const opening = BlockStore.open(folder, {
    onStep: (step) => failPoint(step === 'payload' ? 201 : 202),
  })
  opened.add(async () => (await opening).close())
  // Concurrent with disk reads. If genesis has an older ABI, the ledger runs the checks of the active one later.
  runSelfChecks(abi)
  const store = await opening
  const backend = await LevelBackend.open(join(folder, 'state'))
  opened.add(() => backend.close())
  const context = abi.codec(genesis.payload.value.addressPrefix)
  const world = await WorldState.open({
    backend,
    context,
    cacheBytes: options.cacheBytes,
    treeBits: options.treeBits,
  })
  if (world.height === 0) await applyGenesis(abi, genesis, world, store)
  if (store.height < world.height) {
    throw new LedgerError(
      'storage_corrupt',
      `the state is at height ${world.height} but the block store ends at ${store.height}`,
      { hint: 'Blocks were lost: restore the data directory from a backup, or remove it and sync from peers.' },
    )
  }
  const first = await store.readHeader(1)
  if (first === undefined || !sameBytes(hashOfHeader(first), hashOfHeader(genesis.header))) {
    throw new LedgerError('genesis_mismatch', 'the data directory belongs to another genesis')
  }
  const ledger = new Ledger(world, store, line, folder, options.view, genesis)
  opened.become(() => ledger.close())
  await ledger.readReplayWindow()
  for (let height = world.height + 1; height <= store.height; height++) {
    if (options.stopped?.() === true) {
      throw new LedgerError(
        'node_stopping',
        `the start was interrupted before block ${height} of ${store.height} was executed`,
      )
    }
    options.onReplay?.(height, store.height)
    await ledger.replay(height)
  }
  await ledger.arrangeLanes()
  await ledger.keepHead()
  return ledger
}
