/** Owns the approvers of multisig accounts: looked up once, and again after a policy change. */

import type { NodeServices } from '../../../api/services.js'
import { BoundedMap } from '../../../base/bounded.js'
import type { AccountId } from '../../../model/index.js'
import { queries as multisigQueries } from '../../multisig/schema.js'
import { MEMBERS_ASKED_MAX, MEMBERS_KNOWN_MAX } from './limits.js'

export class Members {
  private readonly known = new BoundedMap<AccountId, readonly AccountId[]>(MEMBERS_KNOWN_MAX)
  /** Remaining lookups for the current block. */
  private left = MEMBERS_ASKED_MAX

  constructor(
    private readonly services: Pick<NodeServices, 'query'>,
    private readonly isWanted: () => boolean,
  ) {}

  /** Begin a block. */
  begin(): void {
    this.left = MEMBERS_ASKED_MAX
  }

  /** Drop the cached members of an account after a policy change. */
  remove(account: AccountId): void {
    this.known.delete(account)
  }

  async of(account: AccountId): Promise<readonly AccountId[]> {
    const known = this.known.get(account)
    if (known !== undefined || !this.isWanted() || this.left === 0) return known ?? []
    this.left -= 1
    const view = await this.services.query(multisigQueries.multisig, { id: account, alias: undefined })
    const members = view?.policy.members.map((member) => member.account) ?? []
    this.known.set(account, members)
    return members
  }
}
