/** Owns an in-memory store of integrations for tests: its content outlives the service that wrote it, like a disk. */
import { LedgerError } from '../../src/model/index.js'
import { type IntegrationChange, IntegrationStore } from '../../src/storage/integration-store.js'

export class MemoryStore extends IntegrationStore {
  /** True if the disk fails. */
  isBroken = false

  constructor(
    private readonly records: Map<string, Buffer>,
    secret: Uint8Array,
  ) {
    super('', secret)
  }

  override async get(key: string) {
    this.serve()
    return this.records.get(key)
  }
  override async list(prefix: string) {
    this.serve()
    return [...this.records].filter(([key]) => key.startsWith(prefix)).sort(([one], [other]) => (one < other ? -1 : 1))
  }
  override async write(changes: readonly IntegrationChange[]) {
    this.serve()
    for (const [key, value] of changes) {
      if (value === undefined) this.records.delete(key)
      else this.records.set(key, Buffer.from(value))
    }
  }
  /** The node has ended: nothing is written any more. */
  override async close() {
    this.isBroken = true
  }

  private serve(): void {
    if (this.isBroken) throw new LedgerError('integrations_unavailable', 'the store does not answer')
  }
}
