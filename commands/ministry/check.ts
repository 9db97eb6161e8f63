import { Args } from '@oclif/core'
import { BaseCommand } from '../../src/cli/command/base-command.js'
import { getView, textOf, viewsOf, withGateway } from '../../src/cli/gateway/gateway.js'
import { usageError } from '../../src/cli/terminal/failure.js'
import { EXIT } from '../../src/model/errors.js'

export default class MinistryCheck extends BaseCommand {
  static override description = 'Check whether content is on the deny list of the ministry. Exits 10 if it is.'
  static override examples = [
    '<%= config.bin %> ministry check sha256:5f0c…',
    '<%= config.bin %> ministry check cid:5f0c… --json',
  ]
  static override args = {
    hash: Args.string({
      description: 'SHA-256 digest as sha256:HEX, or cid:HEX for the digest of a content id',
      required: true,
      ignoreStdin: true,
    }),
  }

  async run(): Promise<void> {
    const { args, flags } = await this.parse(MinistryCheck)
    const [, family, hash] = /^(sha256|cid):([0-9a-f]{64})$/i.exec(args.hash) ?? []
    if (family === undefined || hash === undefined)
      throw usageError(`"${args.hash}" is not a hash`, 'Write sha256: or cid: and 64 hexadecimal digits.')
    const query = { family: family.toLowerCase(), hash: hash.toLowerCase() }
    const settings = await this.settings(flags)
    const page = await withGateway(settings, (client) =>
      getView(client, ({ ministry }) => ministry.denylist, { query }),
    )
    const [found] = viewsOf(page.items)
    const view = { ...query, is_denied: found !== undefined, agenda: textOf(found?.agenda) ?? null }
    const text = found === undefined ? 'not denied' : `denied by agenda ${textOf(found.agenda)}`
    this.out.result(view, `${args.hash} is ${text}`)
    if (found !== undefined) this.exitWith(EXIT.checkFailed)
  }
}
