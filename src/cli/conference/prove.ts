/** Owns the common parts of commands that create a member's proof without sending it. */

import { BaseCommand } from '../command/base-command.js'
import { gatewayPair, withGateway } from '../gateway/gateway.js'
import { accountFlag } from '../input/texts.js'
import type { SettingFlags } from '../settings/settings.js'
import { Names } from '../transaction/resolve.js'
import type { Prove } from './proofs.js'

export const submitterFlag = {
  submitter: accountFlag({ description: 'account that submits the instruction', required: true }),
}

/** Help of a command; `what`: the subject of the proof, with its article. */
export const proveHelp = (what: string): string =>
  `Prove ${what} of a private call with the key of --key-file, for an account that submits it.
Prints JSON for \`tx send\` of that account and for \`conference verify\`; no other account can submit it. Nothing is sent.`

/** Base class of these commands. */
export abstract class ProveCommand extends BaseCommand {
  /** Prove and print; returns the number of admitted keys in a join proof. */
  protected async prove(
    flags: SettingFlags & { readonly submitter: string },
    call: string,
    prove: Prove,
  ): Promise<number | undefined> {
    const settings = await this.settings(flags)
    const wallet = await gatewayPair(settings)
    const { proofFile } = await import('./proofs.js')
    const { file, keys } = await withGateway(settings, async (client) => {
      const submitter = await new Names(client, settings).account(flags.submitter)
      return proofFile(client, call, wallet, submitter, prove)
    })
    this.out.result(file, JSON.stringify(file, null, 2))
    return keys
  }
}
