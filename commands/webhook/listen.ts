import { Flags } from '@oclif/core'
import { BaseCommand } from '../../src/cli/command/base-command.js'

export default class WebhookListen extends BaseCommand {
  static override description =
    `Listen for deliveries on this machine, verify their signatures and print them, one line each: to test webhooks.
Deliveries with another signature are answered with 401 and reported.`
  static override examples = [
    '<%= config.bin %> webhook listen --port 9999 --secret-file hook.secret',
    '<%= config.bin %> webhook listen --port 9999 --secret-file hook.secret --out got.jsonl --until 2',
    '<%= config.bin %> webhook listen --port 9999 --secret-file hook.secret --fail 503',
  ]
  static override flags = {
    port: Flags.integer({
      description: 'port of the loopback address; 0: any free one',
      default: 9999,
      min: 0,
      max: 65_535,
    }),
    'secret-file': Flags.string({
      description: 'file with the secret of the webhook',
      required: true,
      helpValue: 'FILE',
    }),
    out: Flags.string({ description: 'append deliveries to this file too', helpValue: 'FILE' }),
    fail: Flags.integer({
      description: 'respond to every delivery with this status',
      min: 300,
      max: 599,
      helpValue: 'STATUS',
    }),
    until: Flags.integer({
      description: 'exit after this many different events, counting those in --out',
      min: 1,
      helpValue: 'N',
    }),
  }

  async run(): Promise<void> {
    const { flags } = await this.parse(WebhookListen)
    const { listen } = await import('../../src/cli/webhook/listen.js')
    const { port, out, fail, until } = flags
    this.exitWith(await listen(this.out, { port, secretFile: flags['secret-file'], file: out, fail, until }))
  }
}
