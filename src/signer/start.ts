/** Owns the composition of a signer: keys, records, lease and listener, started in order and stopped in the reverse. */
import { mkdir } from 'node:fs/promises'
import { errorMessage } from '../base/thrown.js'
import { InlineCrypto, type KeyPair } from '../crypto/index.js'
import { storageFailed } from '../files/disk-fault.js'
import { readKeyFor } from '../files/key-file.js'
import { keyString, LedgerError } from '../model/index.js'
import type { LinkLogger } from '../network/index.js'
import { makePrivate, votedMarks } from '../storage/index.js'
import { takeLock } from '../storage/lock.js'
import type { SignerConfig } from './config.js'
import { Lease } from './lease.js'
import { LeaseLog } from './lease-log.js'
import type { ListenPlace } from './place.js'
import { KeyRecordLog } from './record-log.js'
import { SignerServer } from './server.js'
import { type HeldKey, Signer } from './signer.js'

export interface StartSignerOptions {
  readonly logger: LinkLogger
  /** Passphrase of sealed key files; undefined if none is set. */
  readonly passphrase: string | undefined
  /** Height set by the operator for a lost record; nothing is signed up to it. */
  readonly resumeAbove: number | undefined
  /** Called if the record cannot be trusted any more: the process must end. */
  readonly onFatal: (error: unknown) => void
}

/** Running signer. */
export interface RunningSigner {
  readonly address: string
  /** Greatest height at which each key signed, in the order of the keys. */
  readonly heights: readonly number[]
  close(): Promise<void>
}

/** Error report of an ended signer: its folder was taken over, its disk failed, or a bug. */
export function endingOf(failure: unknown): LedgerError {
  if (failure instanceof LedgerError) return failure
  const message = errorMessage(failure)
  const what = `cannot write the record of the key: ${message}`
  return storageFailed(new Error(what, { cause: failure })) ?? new LedgerError('internal', what, { cause: failure })
}

async function placeOf({ listen }: SignerConfig, passphrase: string | undefined): Promise<ListenPlace> {
  if (listen.kind === 'socket') return listen
  const { secret } = await readKeyFor({ path: listen.keyFile, role: 'identity', algorithm: 'ed25519', passphrase })
  return { kind: 'tls', address: listen.address, seed: secret, nodes: listen.nodes }
}

/** Start a signer. Throws a `LedgerError` with the fault; nothing keeps running after a failure. */
export async function startSigner(config: SignerConfig, options: StartSignerOptions): Promise<RunningSigner> {
  const { passphrase, resumeAbove, logger, onFatal } = options
  const { dataDir, chainHash, validatorKeyFile, nextValidatorKeyFile, leaseMs } = config
  const closers: (() => Promise<void>)[] = []
  const close = async (): Promise<void> => {
    for (const step of closers.splice(0).reverse()) await step()
  }
  try {
    const place = await placeOf(config, passphrase)
    const files = nextValidatorKeyFile === undefined ? [validatorKeyFile] : [nextValidatorKeyFile, validatorKeyFile]
    const pairs: { readonly file: string; readonly pair: KeyPair }[] = []
    for (const file of files)
      pairs.push({ file, pair: await readKeyFor({ path: file, role: 'validator', algorithm: 'bls', passphrase }) })
    await mkdir(dataDir, { recursive: true, mode: 0o700 })
    await makePrivate(dataDir)
    const lock = await takeLock(dataDir, 'signer')
    closers.push(() => lock.release())
    const held: HeldKey[] = []
    for (const { file, pair } of pairs) {
      const key = keyString(pair.publicKey.bytes)
      const marks = votedMarks([file], chainHash)
      await marks.check()
      const log = await KeyRecordLog.open({ folder: dataDir, key, chainHash, marks, resumeAbove, lock })
      closers.push(() => log.close())
      held.push({ pair, log })
    }
    if (resumeAbove !== undefined && !held.some(({ log }) => log.isResumed)) {
      // Left where a supervisor starts it, it would let a later loss pass at a height that is long gone.
      throw new LedgerError('config_invalid', `the record in ${dataDir} is complete: start without --resume-above`)
    }
    const leaseLog = await LeaseLog.open(dataDir, lock)
    closers.push(() => leaseLog.close())
    const crypto = await InlineCrypto.create()
    closers.push(() => crypto.close())
    const signer = await Signer.open(crypto, chainHash, held)
    // The node that was active before may continue, if it responds within the duration of a lease.
    const last = leaseLog.last && { ...leaseLog.last, untilMs: performance.now() + leaseMs }
    const lease = new Lease(leaseMs, last)
    const server = await SignerServer.open({ place, signer, chainHash, lease, leaseLog, leaseMs, logger, onFatal })
    closers.push(() => server.close())
    return { address: server.address, heights: held.map(({ log }) => log.record.height), close }
  } catch (error) {
    await close()
    throw error
  }
}
