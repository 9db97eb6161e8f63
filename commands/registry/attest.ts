import { writeFlags } from '../../src/cli/command/flags.js'
import { LedgerCommand } from '../../src/cli/ledger/command.js'
import { attestationOf, packageArg, provenanceFlags, versionArg } from '../../src/cli/registry/release.js'
import { signingKey } from '../../src/cli/settings/key.js'
import { usageError } from '../../src/cli/terminal/failure.js'
import { instructions as registry } from '../../src/features/registry/schema/instructions.js'
import { instruction } from '../../src/model/index.js'

export default class RegistryAttest extends LedgerCommand {
  static override description = `Add an attestation to a release, as a builder or a maintainer of the package.
The attestation is an in-toto statement with SLSA provenance, signed with an Ed25519 key.`
  static override examples = [
    '<%= config.bin %> registry attest bank/kit 1.0.0 --source git+https://example.com/kit --commit 4f2a --build-type https://example.com/build/v1 --builder https://example.com/ci --invocation run-1 --key-file ci.json',
  ]
  static override args = { package: packageArg, version: versionArg }
  static override flags = { ...provenanceFlags, ...writeFlags }

  async run(): Promise<void> {
    const { args, flags } = await this.parse(RegistryAttest)
    const { package: id, version } = args
    const settings = await this.settings(flags)
    if (flags.source === undefined)
      throw usageError('an attestation requires --source', 'Give all fields of the provenance.')
    await this.send(flags, async ({ client }) => {
      const { release } = await client.provenRelease(id, version)
      if (release === undefined)
        throw usageError(`package ${id} has no version ${version}`, 'causeway registry versions')
      const subject = { package: id, version, sha256: release.manifest.archive.sha256 }
      const attestation = await attestationOf(flags, subject, () => signingKey(settings))
      return attestation === undefined
        ? []
        : [instruction(registry.attestRelease, { package: id, version, attestation })]
    })
  }
}
