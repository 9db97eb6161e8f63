import { IsoSubmitCommand, SUBMIT_EXITS } from '../../../src/cli/iso/submit-command.js'

export default class IsoSubmitPacs008 extends IsoSubmitCommand {
  static override description = `Submit a pacs.008 message and wait for its settlement.\n${SUBMIT_EXITS}`
  static override examples = [
    '<%= config.bin %> iso submit pacs008 payment.xml',
    'cat payment.xml | <%= config.bin %> iso submit pacs008 - --json',
  ]

  run(): Promise<void> {
    return this.submit('pacs008')
  }
}
