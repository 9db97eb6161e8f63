import { Args, Flags } from '@oclif/core'
import { BaseCommand } from '../../../src/cli/command/base-command.js'
import { optionalView, textOf } from '../../../src/cli/gateway/gateway.js'
import { inputName } from '../../../src/cli/input/input.js'
import { accountFlag } from '../../../src/cli/input/texts.js'
import { explainRoute, ruleText } from '../../../src/cli/lane/lane.js'
import { pairs } from '../../../src/cli/terminal/output.js'
import { EXIT } from '../../../src/model/errors.js'

export default class LaneRouteExplain extends BaseCommand {
  static override description = `Show the lane of instructions for an account, and the stage and rule that decide it.
Nothing is signed or sent. Exits 6 with the reason if they have no route.`
  static override examples = [
    '<%= config.bin %> lane route explain transfer.json --account alice@bank',
    `echo '{"RegisterDomain": {"id": "shop", "metadata": {}}}' | <%= config.bin %> lane route explain - --account admin@bank`,
  ]
  static override args = {
    file: Args.string({
      description: 'instructions in JSON, or - for standard input',
      required: true,
      ignoreStdin: true,
    }),
  }
  static override flags = {
    account: accountFlag({ description: 'address or alias of the authority', required: true }),
    dataspace: Flags.string({ description: 'dataspace that the transaction requests' }),
  }

  async run(): Promise<void> {
    const { args, flags } = await this.parse(LaneRouteExplain)
    const settings = await this.settings(flags)
    const { instructionsJson, readJsonInput } = await import('../../../src/cli/input/json.js')
    const instructions = instructionsJson(await readJsonInput(args.file), inputName(args.file))
    const { dataspace } = flags
    const answer = await explainRoute(settings, {
      authority: flags.account,
      instructions,
      dataspace,
    })
    const reason = textOf(answer.reason)
    const matched = optionalView(answer.matched)
    this.out.result(
      answer,
      pairs([
        ['lane', reason === undefined ? (textOf(answer.lane_id) ?? '') : 'none'],
        ...(reason === undefined ? [['dataspace', textOf(answer.dataspace_id) ?? ''] as const] : []),
        ['stage', textOf(answer.stage) ?? ''],
        ...(matched === undefined ? [] : [[`rule ${textOf(answer.rule)}`, ruleText(matched)] as const]),
        ...(reason === undefined ? [] : [['reason', reason] as const]),
      ]),
    )
    if (reason !== undefined) this.exitWith(EXIT.rejected)
  }
}
