import { Args } from '@oclif/core'
import { BaseCommand } from '../../src/cli/command/base-command.js'
import { postView, textOf, withGateway } from '../../src/cli/gateway/gateway.js'
import { inputName } from '../../src/cli/input/input.js'
import { accountFlag } from '../../src/cli/input/texts.js'
import { usageError } from '../../src/cli/terminal/failure.js'
import { pairs } from '../../src/cli/terminal/output.js'
import { EXIT } from '../../src/model/errors.js'

export default class SpaceCheck extends BaseCommand {
  static override description =
    `Show whether restricted dataspaces admit an instruction of an account, and the entry that decides it.
The gateway tries the instruction on the last block; nothing is signed or sent. Exits 6 on deny. An instruction that fails for
another reason, such as a balance, is not denied.`
  static override examples = ['<%= config.bin %> space check pay.json --account alice@bank']
  static override args = {
    file: Args.string({
      description: 'instruction in JSON, or - for standard input',
      required: true,
      ignoreStdin: true,
    }),
  }
  static override flags = {
    account: accountFlag({ description: 'address or alias of the authority', required: true }),
  }

  async run(): Promise<void> {
    const { args, flags } = await this.parse(SpaceCheck)
    const settings = await this.settings(flags)
    const { instructionsJson, readJsonInput } = await import('../../src/cli/input/json.js')
    const [instruction, ...more] = instructionsJson(await readJsonInput(args.file), inputName(args.file))
    if (instruction === undefined || more.length > 0)
      throw usageError(
        `${inputName(args.file)} has ${more.length === 0 ? 'no instruction' : 'more than one instruction'}`,
      )
    const answer = await withGateway(settings, (client) =>
      postView(client, ({ spaces }) => spaces.evaluate, { account: flags.account, instruction }),
    )
    const decision = textOf(answer.decision)?.toLowerCase()
    this.out.result(
      answer,
      pairs([
        ['decision', decision],
        ['entry', textOf(answer.entry)],
        ['left afterwards', textOf(answer.rest)],
        ['height', textOf(answer.height)],
      ]),
    )
    if (decision === 'deny') this.exitWith(EXIT.rejected)
  }
}
