import { Args, Flags } from '@oclif/core'
import { BaseCommand } from '../../src/cli/command/base-command.js'
import { inputName, readInput } from '../../src/cli/input/input.js'
import { FORM_NAMES, type Form } from '../../src/cli/iso/forms.js'

export default class IsoConvert extends BaseCommand {
  static override description =
    `Convert a pacs.008 or pacs.009 between XML, flat lines, flat JSON and flat XML. The message is checked in full first.
The flat forms contain the fields that the bridge reads (\`iso explain\`); other XML elements are left out, with a note.
XML gets a neutral value where its schema requires a field that a flat message lacks (NOTPROVIDED, SHAR, CLRG).`
  static override examples = [
    '<%= config.bin %> iso convert payment.xml --to flat',
    '<%= config.bin %> iso convert payment.txt --family pacs.008 --to xml',
  ]
  static override args = {
    file: Args.string({ description: 'message, or - for standard input', required: true, ignoreStdin: true }),
  }
  static override flags = {
    to: Flags.option({ options: FORM_NAMES, description: 'form of the result', required: true })(),
    family: Flags.option({
      options: ['pacs.008', 'pacs.009'] as const,
      description: 'family of a flat message that does not name it',
    })(),
  }

  async run(): Promise<void> {
    const { args, flags } = await this.parse(IsoConvert)
    const { paymentsOf, unread, written } = await import('../../src/cli/iso/convert.js')
    const body = await readInput(args.file)
    const payments = paymentsOf(inputName(args.file), body, flags.family)
    const form: Form = flags.to
    const text = written(payments, form, `${new Date().toISOString().slice(0, 19)}Z`)
    const lost = form === 'xml' ? [] : unread(body)
    if (lost.length > 0) this.out.note(`note: not in the flat forms and left out: ${lost.join(', ')}`)
    if (this.out.json) this.out.result({ family: payments[0].family, form, message: text, left_out: lost }, text)
    else this.out.answer(Buffer.from(text))
  }
}
