/** Owns parsers of the command line form of a multisig policy. */
import type { Json } from '../../codec/index.js'
import { multisigPolicy, policyFault, sortedPolicy } from '../../model/index.js'
import { parseLedgerDuration } from '../input/duration.js'
import { usageError } from '../terminal/failure.js'
import type { Drafting } from './command.js'

/** Policy of `--member ACCOUNT=WEIGHT`, `--quorum` and `--ttl`, in canonical order. Throws `usage`. */
export async function policyOf(
  flags: { readonly member: readonly string[]; readonly quorum: number; readonly ttl: string },
  { account, codec }: Pick<Drafting, 'account' | 'codec'>,
): Promise<Json> {
  const members: Json[] = []
  for (const word of flags.member) {
    const match = /^([^=]+)(?:=(\d{1,3}))?$/.exec(word)
    if (match?.[1] === undefined) throw usageError(`--member ${word}: expected ACCOUNT or ACCOUNT=WEIGHT`)
    members.push({ account: await account(match[1]), weight: Number(match[2] ?? '1') })
  }
  const asked = { members, quorum: flags.quorum, ttl_ms: parseLedgerDuration(flags.ttl, '--ttl') }
  const decoded = multisigPolicy.fromJson(asked, codec)
  if (!decoded.ok) throw usageError(`the policy: ${decoded.fault.path ?? ''} ${decoded.fault.message}`)
  const policy = sortedPolicy(decoded.value)
  const fault = policyFault(policy)
  if (fault !== undefined) throw usageError(`the policy: ${fault}`)
  return multisigPolicy.toJson(policy, codec)
}
