import { IsoSubmitCommand, SUBMIT_EXITS } from '../../../src/cli/iso/submit-command.js'

export default class IsoSubmitPacs009 extends IsoSubmitCommand {
  static override description = `Submit a pacs.009 message and wait for its settlement.\n${SUBMIT_EXITS}`
  static override examples = [
    '<%= config.bin %> iso submit pacs009 payment.xml',
    'cat payment.xml | <%= config.bin %> iso submit pacs009 - --json',
  ]

  run(): Promise<void> {
    return this.submit('pacs009')
  }
}
