import { randomUUID } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Args, Flags } from '@oclif/core'
import { BaseCommand } from '../../src/cli/command/base-command.js'
import { FORM_NAMES, type Form } from '../../src/cli/iso/forms.js'

export default class IsoTemplate extends BaseCommand {
  static override description =
    `Print a valid message with a new message id, UETR and today's dates, in any supported form.
It uses the accounts of a network created by \`localnet up\`; --fixed prints the file of templates/iso unchanged.`
  static override examples = [
    '<%= config.bin %> iso template pacs008 > payment.xml',
    '<%= config.bin %> iso template pacs009 --form flat',
    '<%= config.bin %> iso template pacs008 --form json | <%= config.bin %> iso submit pacs008 -',
  ]
  static override args = {
    family: Args.string({ description: 'family', options: ['pacs008', 'pacs009'], required: true, ignoreStdin: true }),
  }
  static override flags = {
    form: Flags.option({ options: FORM_NAMES, description: 'form of the message', default: 'xml' as Form })(),
    id: Flags.string({ description: 'message id; default: a new one' }),
    amount: Flags.string({ description: 'settlement amount, such as 12.50' }),
    fixed: Flags.boolean({ description: 'print the template unchanged', exclusive: ['form', 'id', 'amount'] }),
  }

  async run(): Promise<void> {
    const { args, flags } = await this.parse(IsoTemplate)
    const text = await readFile(join(this.config.root, 'templates', 'iso', `${args.family}.xml`), 'utf8')
    if (flags.fixed) return this.print(text)
    const { amountOf, paymentOf, written } = await import('../../src/cli/iso/convert.js')
    const now = new Date()
    const today = now.toISOString().slice(0, 10)
    const messageId = flags.id ?? `PAY-${today.replaceAll('-', '')}-${randomUUID().slice(0, 8).toUpperCase()}`
    const payment = paymentOf('template', Buffer.from(text))
    const fresh = {
      ...payment,
      messageId,
      instructionId: payment.instructionId === undefined ? undefined : messageId.slice(0, 35),
      creationTime: `${now.toISOString().slice(0, 19)}Z`,
      settlementDate: today,
      uetr: randomUUID(),
      amount: flags.amount === undefined ? payment.amount : amountOf(flags.amount, payment.currency),
    }
    this.print(written([fresh], flags.form, fresh.creationTime))
  }

  private print(text: string): void {
    this.out.result({ message: text }, text)
  }
}
