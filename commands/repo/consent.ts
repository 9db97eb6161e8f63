import { writeFlags } from '../../src/cli/command/flags.js'
import { amountsOf } from '../../src/cli/gateway/directory.js'
import { getView, textOf } from '../../src/cli/gateway/gateway.js'
import { LedgerCommand } from '../../src/cli/ledger/command.js'
import { agreementArgs, draftedAgreement } from '../../src/cli/repo/forms.js'
import { termsLines } from '../../src/cli/repo/show.js'
import type { Json } from '../../src/codec/index.js'
import { instructions } from '../../src/features/repo/schema/instructions.js'

export default class RepoConsent extends LedgerCommand {
  static override description = `Consent to the terms of a proposed agreement, as the other party or the custodian.
The last consent opens it: both legs move, or none. It signs the hash of the displayed terms.`
  static override examples = ['<%= config.bin %> repo consent R1 --key-file bob.json']
  static override args = agreementArgs
  static override flags = writeFlags

  async run(): Promise<void> {
    const { args, flags } = await this.parse(RepoConsent)
    await this.send(flags, async (drafting) => {
      const id = await draftedAgreement(drafting, args.agreement)
      const view = await getView(drafting.client, ({ repo }) => repo.agreement, { params: { id } })
      const names = await amountsOf(drafting.client, view as Json)
      for (const line of view.live === undefined ? [] : termsLines(view, names)) drafting.remark(line)
      return [drafting.read(instructions.consentRepo, { id, terms_hash: textOf(view.terms_hash) ?? '' })]
    })
  }
}
