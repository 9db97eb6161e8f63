import { Args, Flags } from '@oclif/core'
import { writeFlags } from '../../src/cli/command/flags.js'
import { getView, textOf, viewsOf } from '../../src/cli/gateway/gateway.js'
import { LedgerCommand } from '../../src/cli/ledger/command.js'
import { packageArg } from '../../src/cli/registry/release.js'
import { usageError } from '../../src/cli/terminal/failure.js'
import { instructions as registry } from '../../src/features/registry/schema/instructions.js'

export default class RegistryTag extends LedgerCommand {
  static override description = `Set a tag of a package to a version, or remove it, as a maintainer.`
  static override examples = [
    '<%= config.bin %> registry tag bank/kit latest 1.0.0 --key-file admin.json',
    '<%= config.bin %> registry tag bank/kit beta --remove --key-file admin.json',
  ]
  static override args = {
    package: packageArg,
    tag: Args.string({ description: 'tag, such as latest', required: true, ignoreStdin: true }),
    version: Args.string({ description: 'version', ignoreStdin: true }),
  }
  static override flags = { remove: Flags.boolean({ description: 'remove the tag', default: false }), ...writeFlags }

  async run(): Promise<void> {
    const { args, flags } = await this.parse(RegistryTag)
    const { package: id, tag, version } = args
    if ((version === undefined) !== flags.remove)
      throw usageError('give a version or --remove', 'causeway registry tag --help')
    await this.send(flags, async ({ client, read }) => {
      const found = await getView(client, (all) => all.registry.package, { query: { package: id } })
      const now = viewsOf(found.tags).find((one) => textOf(one.tag) === tag)
      const revision = Number(now?.revision ?? 0)
      return [read(registry.setTag, { package: id, tag, version: version ?? null, revision })]
    })
  }
}
