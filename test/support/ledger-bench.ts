/**
 * Owns ledgers of one synthetic chain in temporary folders: blocks built on one, committed on any; certificates are not
 * checked.
 */
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Abi } from '../../src/executor/index.js'
import { ABI_1 } from '../../src/features/abi.js'
import {
  type BlockHeader,
  type CertifiedHeader,
  composeBody,
  type Instruction,
  type SignedGenesis,
} from '../../src/model/index.js'
import type { Ledger } from '../../src/node/ledger/ledger.js'
import { openLedger } from '../../src/node/ledger/open.js'
import type { LedgerPort, Tip } from '../../src/node/ledger/protocol.js'
import { flatHashes } from '../../src/node/ledger/slices.js'
import { type signedBy, type TestAccount, temporaryFolder, testAccount, testGenesis, testPeer } from './chain.js'
import { templateAfter, uncheckedCertificate } from './headers.js'

/** Block built by a ledger. */
export interface BenchBlock {
  readonly header: BlockHeader
  readonly body: Buffer
  readonly hashes: Buffer
}

/** Commit a block whose candidate the ledger has. */
export async function commitKept(ledger: Pick<LedgerPort, 'commit'>, certified: CertifiedHeader): Promise<Tip> {
  const { tip } = await ledger.commit({ certified })
  if (tip === undefined) throw new Error(`the candidate of block ${certified.header.height} was evicted`)
  return tip
}

export class LedgerBench {
  private readonly ledgers = new Map<string, Ledger>()
  private constructor(
    /** Temporary root folder. */
    readonly root: string,
    private readonly remove: () => Promise<void>,
    readonly genesis: SignedGenesis,
    readonly alice: TestAccount,
    readonly bob: TestAccount,
    /** Owner of the domain `bank`. */
    readonly admin: TestAccount,
    private readonly abi: Abi,
  ) {}

  /** `extra`: additional instructions of genesis; `parameters`: encoded values by name. */
  static async create(
    extra: readonly Instruction[] = [],
    { abi = ABI_1, parameters = new Map() }: { abi?: Abi; parameters?: ReadonlyMap<string, Uint8Array> } = {},
  ): Promise<LedgerBench> {
    const { path, remove } = await temporaryFolder()
    const peers = await Promise.all([0, 1, 2, 3].map((index) => testPeer(index)))
    const [alice, bob] = await Promise.all([testAccount('alice'), testAccount('bob')])
    const { genesis, admin } = await testGenesis({ peers, accounts: [alice, bob], extra, abi, parameters })
    return new LedgerBench(path, remove, genesis, alice, bob, admin, abi)
  }

  /** Data directory of a ledger. */
  folder(name: string): string {
    return join(this.root, name)
  }

  /** Ledger of this name, opened if needed. */
  async open(name: string): Promise<Ledger> {
    const held = this.ledgers.get(name)
    if (held !== undefined) return held
    await mkdir(this.folder(name), { recursive: true })
    const ledger = await openLedger({ folder: this.folder(name), genesis: this.genesis, abi: this.abi })
    this.ledgers.set(name, ledger)
    return ledger
  }

  async stop(name: string): Promise<void> {
    await this.ledgers.get(name)?.close()
    this.ledgers.delete(name)
  }

  /** Build the next block of a ledger with these records, by default 10 ms after the previous one. */
  async build(ledger: Ledger, records: readonly ReturnType<typeof signedBy>[], timeMs?: number): Promise<BenchBlock> {
    const tip = await ledger.tip()
    const entries = records.map((record) => ({ lane: 0, dataspace: 0n, bytes: record.bytes }))
    const body = composeBody(tip.certificate, [], entries)
    const hashes = flatHashes(records)
    const template = templateAfter(tip, this.genesis)
    const built = await ledger.build({ header: { ...template, timeMs: timeMs ?? template.timeMs }, body, hashes })
    if (built.header === undefined) throw new Error(JSON.stringify(built.invalid))
    return { header: built.header, body, hashes }
  }

  /** Commit a block on any ledger, executed or not. */
  async commit(ledger: Ledger, { header, body }: Pick<BenchBlock, 'header' | 'body'>): Promise<void> {
    const certified = { header, certificate: uncheckedCertificate(header) }
    const { tip } = await ledger.commit({ certified })
    if (tip === undefined) await ledger.commitBody({ certified, body })
  }

  async close(): Promise<void> {
    for (const name of [...this.ledgers.keys()]) await this.stop(name)
    await this.remove()
  }
}
