import { BaseCommand } from '../../src/cli/command/base-command.js'
import { askGateway, textOf, viewOf, viewsOf } from '../../src/cli/gateway/gateway.js'
import { accountArg } from '../../src/cli/input/texts.js'
import { pairs, table } from '../../src/cli/terminal/output.js'
import { isoTime } from '../../src/cli/text/figures.js'

export default class MultisigShow extends BaseCommand {
  static override description =
    'Show the policy of a multisig account with its open proposals and the most recently closed ones.'
  static override examples = [
    '<%= config.bin %> multisig show board@bank',
    '<%= config.bin %> multisig show board@bank --json',
  ]
  static override args = {
    account: accountArg({ description: 'multisig account, address or alias', required: true, ignoreStdin: true }),
  }
  static override flags = {}

  async run(): Promise<void> {
    const { args, flags } = await this.parse(MultisigShow)
    const view = await askGateway(await this.settings(flags), ({ multisig }) => multisig.multisig, {
      params: { account: args.account },
    })
    const policy = viewOf(view.policy)
    const members = viewsOf(policy.members)
    const all = [...viewsOf(view.open), ...viewsOf(view.closed).toReversed()]
    const rows = all.map((one) => [
      textOf(one.proposal) ?? '',
      textOf(one.status)?.toLowerCase() ?? '',
      `${textOf(one.weight)} of ${textOf(one.quorum)}`,
      isoTime(one.expires_ms),
    ])
    const head = pairs([
      ['account', textOf(view.account)],
      ['quorum', textOf(policy.quorum)],
      ...members.map((one) => ['member', `${textOf(one.account)} weighs ${textOf(one.weight)}`] as const),
    ])
    this.out.result(view, `${head}\n\n${table(['PROPOSAL', 'STATUS', 'WEIGHT', 'EXPIRES'], rows)}`)
  }
}
