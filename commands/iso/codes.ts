import { Args } from '@oclif/core'
import { BaseCommand } from '../../src/cli/command/base-command.js'
import { usageError } from '../../src/cli/terminal/failure.js'
import { table } from '../../src/cli/terminal/output.js'

export default class IsoCodes extends BaseCommand {
  static override description = 'List the status and reason codes of pacs.002 that the bridge uses, with their meaning.'
  static override examples = ['<%= config.bin %> iso codes', '<%= config.bin %> iso codes AM04 --json']
  static override args = { code: Args.string({ description: 'one code', ignoreStdin: true }) }

  async run(): Promise<void> {
    const { args } = await this.parse(IsoCodes)
    const { REASON_CODES, STATUS_CODES } = await import('../../src/features/iso20022/message/reasons.js')
    const rows = [
      ...Object.entries(STATUS_CODES).map(([code, meaning]) => ({ kind: 'status', code, meaning })),
      ...Object.entries(REASON_CODES).map(([code, meaning]) => ({ kind: 'reason', code, meaning })),
    ]
    const wanted = args.code?.toUpperCase()
    const shown = rows.filter((row) => wanted === undefined || row.code === wanted)
    if (shown.length === 0) throw usageError(`the bridge uses no code ${args.code}`, 'causeway iso codes')
    const lines = shown.map((row) => [row.code, row.kind, row.meaning])
    this.out.result(shown, table(['CODE', 'KIND', 'MEANING'], lines))
  }
}
