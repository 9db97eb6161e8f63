import { Args, Flags } from '@oclif/core'
import { ReadCommand } from '../../src/cli/command/read-command.js'
import { parseLedgerDuration } from '../../src/cli/input/duration.js'
import { packageArg } from '../../src/cli/registry/release.js'

export default class RegistryResolve extends ReadCommand {
  static override description = `Show the highest release of a package in a range of versions.
A yanked release resolves only by its digest, a pre-release only if the range names one.`
  static override examples = [
    "<%= config.bin %> registry resolve bank/kit '^1.0'",
    "<%= config.bin %> registry resolve bank/kit '>=1.2 <2' --min-age 7d --json",
  ]
  static override args = {
    package: packageArg,
    range: Args.string({ description: 'range of versions as npm writes it (default: any)', ignoreStdin: true }),
  }
  static override flags = {
    'min-age': Flags.string({ description: 'minimum age of the release, such as 7d' }),
    digest: Flags.string({ description: 'digest of the release' }),
  }

  async run(): Promise<void> {
    const { args, flags } = await this.parse(RegistryResolve)
    const age = flags['min-age']
    const minAgeMs = age === undefined ? undefined : parseLedgerDuration(age, '--min-age')
    const query = { package: args.package, range: args.range, min_age_ms: minAgeMs, digest: flags.digest }
    const fields = {
      package: 'package',
      version: 'version',
      digest: 'digest',
      sha256: 'manifest.archive.sha256',
      bytes: 'manifest.archive.bytes',
      published: 'published_ms',
      warning: 'warning',
    }
    await this.showFields(flags, ({ registry }) => registry.resolve, { query }, fields)
  }
}
