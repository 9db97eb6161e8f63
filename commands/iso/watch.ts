import { Args } from '@oclif/core'
import { BaseCommand } from '../../src/cli/command/base-command.js'
import { signsRequests, withGateway } from '../../src/cli/gateway/gateway.js'
import { exitOf, statusWords } from '../../src/cli/iso/iso.js'
import { whichFlags } from '../../src/cli/iso/operator.js'
import { leaveWithReader } from '../../src/cli/terminal/standard-output.js'

export default class IsoWatch extends BaseCommand {
  static override description =
    `Follow messages until they are final (ACSC or RJCT): one line per change, NDJSON with --json.
Exits 0 if all settled, 6 if one was rejected, 8 if one is still pending at the timeout.`
  static override examples = [
    '<%= config.bin %> iso watch PAY-2026-000001',
    '<%= config.bin %> iso watch PAY-1 PAY-2 --timeout 5m --json',
  ]
  static override args = {
    'message-id': Args.string({
      description: 'id of the message; several may be given',
      required: true,
      ignoreStdin: true,
    }),
  }
  static override strict = false
  static override flags = { ...whichFlags }

  async run(): Promise<void> {
    const { argv, flags } = await this.parse(IsoWatch)
    const settings = await this.settings(flags)
    const { family, submitter } = flags
    const filter = { family, submitter }
    leaveWithReader()
    const records = await withGateway(
      settings,
      (client) =>
        Promise.all(
          argv.map(String).map((id) =>
            client.isoWait(id, {
              ...filter,
              timeoutMs: settings.timeoutMs,
              onStatus: (record) => this.out.line(record, `${id} ${statusWords(record)}`),
            }),
          ),
        ),
      { signed: signsRequests(settings) },
    )
    const exits = records.map((record) => exitOf(record, 'committed'))
    this.exitWith(Math.max(...exits))
  }
}
