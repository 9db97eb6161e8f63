import { Args } from '@oclif/core'
import { BaseCommand } from '../../src/cli/command/base-command.js'
import { table } from '../../src/cli/terminal/output.js'

export default class IsoExplain extends BaseCommand {
  static override description =
    `Show the fields of a message family: flat key, type, whether it is required, ISO reason, paths in XML.
Without a name: the families, and whether each is booked, only parsed, or a workflow reference.`
  static override examples = ['<%= config.bin %> iso explain', '<%= config.bin %> iso explain pacs.008']
  static override args = { family: Args.string({ description: 'such as pacs.008 or camt.053', ignoreStdin: true }) }

  async run(): Promise<void> {
    const { args } = await this.parse(IsoExplain)
    const { families, familyView } = await import('../../src/cli/iso/explain.js')
    if (args.family === undefined) {
      const all = families()
      const use = (one: (typeof all)[number]): string =>
        one.endpoint ?? (one.fields.length > 0 ? 'parsed and validated; no endpoint' : 'workflow reference; no schema')
      const rows = all.map((one) => [one.family, use(one), one.title])
      const view = all.map((one) => ({ family: one.family, title: one.title, use: use(one) }))
      return this.out.result(view, table(['FAMILY', 'USE', 'TITLE'], rows))
    }
    const view = familyView(args.family)
    const rows = view.fields.map((one) => [one.key, one.type, one.needed, one.reason, one.paths.join(' or ')])
    const head = `${view.family}  ${view.title}\n${view.endpoint ?? 'no endpoint'}`
    const text =
      rows.length === 0
        ? `${head}\n\nworkflow reference: no endpoint and no schema`
        : `${head}\n\n${table(['KEY', 'TYPE', 'NEEDED', 'REASON', 'PATH'], rows)}`
    this.out.result(view, text)
  }
}
