/** Owns accounts that a node configuration names by address or alias. */

import type { NodeServices } from '../api/services.js'
import type { ConfiguredAccount } from '../features/service.js'
import { resolveText } from '../features/texts.js'
import { type AccountId, LedgerError } from '../model/index.js'
import type { Logger } from './process/logger.js'

interface Waiting {
  readonly key: string
  readonly text: string
  readonly account: { id: AccountId | undefined }
}

/**
 * Accounts by address or alias. During a start an alias may be unknown because its block is missing or because it was
 * removed; neither prevents the start.
 */
export class ConfiguredAccounts {
  private readonly waiting = new Set<Waiting>()
  private isStarted = false
  private looking = false

  constructor(
    private readonly services: NodeServices,
    private readonly logger: Pick<Logger, 'info' | 'warn'>,
  ) {}

  /**
   * Resolve an address or an alias `label@domain`; `key` is the configuration key for errors. Throws `config_invalid`
   * for other texts and, once the node runs, for unknown aliases.
   */
  async resolve(key: string, text: string): Promise<ConfiguredAccount> {
    const found = await resolveText(this.services, text, 'account', key)
    if (!(found instanceof LedgerError)) return { id: found }
    if (found.code !== 'not_found' || this.isStarted) throw new LedgerError('config_invalid', found.message)
    const account: Waiting['account'] = { id: undefined }
    this.waiting.add({ key, text, account })
    this.logger.warn({ key, account: text }, 'account does not exist yet: retrying after each block')
    return account
  }

  /** Mark the node as running: aliases resolved from now on must exist. Returns a function that reverts this. */
  started(): () => void {
    this.isStarted = true
    return this.services.onCommit(() => void this.look())
  }

  private async look(): Promise<void> {
    if (this.looking) return
    this.looking = true
    try {
      for (const one of this.waiting) {
        const { key, text, account } = one
        const found = await resolveText(this.services, text, 'account', key)
        if (found instanceof LedgerError) continue
        account.id = found
        this.waiting.delete(one)
        this.logger.info({ key, account: text }, 'account found')
      }
    } catch {
      // The ledger thread has ended, which is reported elsewhere.
    } finally {
      this.looking = false
    }
  }
}
