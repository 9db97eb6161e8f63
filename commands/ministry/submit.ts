import { Args } from '@oclif/core'
import { writeFlags } from '../../src/cli/command/flags.js'
import { LedgerCommand } from '../../src/cli/ledger/command.js'
import { instructions } from '../../src/features/ministry/schema/instructions.js'
import type { AgendaContent } from '../../src/features/ministry/schema/records.js'
import type { RecordJson } from '../../src/model/index.js'

export default class MinistrySubmit extends LedgerCommand {
  static override description =
    `Submit an agenda to the ministry: hashes to deny or to allow again, or the new text of a policy.
The file has the fields of an agenda as \`ministry show --json\` prints its content. The ledger gives it an id, which is in the
event AgendaSubmitted; \`ministry list\` shows it. An account has at most 2 open agendas.`
  static override examples = ['<%= config.bin %> ministry submit agenda.json --key-file alice.json']
  static override args = {
    file: Args.string({
      description: 'file with the agenda in JSON, or - for standard input',
      required: true,
      ignoreStdin: true,
    }),
  }
  static override flags = { ...writeFlags }

  async run(): Promise<void> {
    const { args, flags } = await this.parse(MinistrySubmit)
    const { readJsonInput } = await import('../../src/cli/input/json.js')
    const agenda = (await readJsonInput(args.file)) as RecordJson<AgendaContent>
    await this.send(flags, ({ read }) => [read(instructions.submitAgenda, { agenda })])
  }
}
