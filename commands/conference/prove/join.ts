import { Flags } from '@oclif/core'
import { BaseCommand } from '../../../src/cli/command/base-command.js'
import { callArg } from '../../../src/cli/conference/forms.js'
import { gatewayKey, withGateway } from '../../../src/cli/gateway/gateway.js'
import { Names } from '../../../src/cli/ledger/resolve.js'

export default class ConferenceProveJoin extends BaseCommand {
  static override description =
    `Prove a join of a private call with the key of --key-file, for an account that submits it.
Prints JSON for \`tx send\` of that account and \`conference verify\`; nobody else can submit it. Nothing is sent.`
  static override examples = [
    '<%= config.bin %> conference prove join bank:board --submitter carol@bank --key-file member.json > join.json',
  ]
  static override args = callArg
  static override flags = {
    submitter: Flags.string({ description: 'account that submits the instruction', required: true }),
  }

  async run(): Promise<void> {
    const { args, flags } = await this.parse(ConferenceProveJoin)
    const settings = await this.settings(flags)
    const wallet = await gatewayKey(settings)
    const { proofFile, warningOf } = await import('../../../src/cli/conference/proofs.js')
    const { file, keys } = await withGateway(settings, async (client) => {
      const submitter = await new Names(client, settings).account(flags.submitter)
      return proofFile(client, args.call, wallet, submitter, (prover, by) => prover.join(by))
    })
    this.out.note(`${keys} keys are on the list.`)
    const warning = warningOf(keys)
    if (warning !== undefined) this.out.note(warning)
    this.out.result(file, JSON.stringify(file, null, 2))
  }
}
