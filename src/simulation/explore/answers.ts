/** Owns the results of work that nodes request: signatures of their own key or of a signer, checks, executions. */
import {
  type ConsensusState,
  decideSigning,
  type EffectOf,
  freshMessages,
  type Input,
  type KeyRecord,
  signRequestOf,
  withFresh,
  withSigned,
} from '../../consensus/index.js'
import type { Ground, Setting } from './ground.js'

/** Work whose result may arrive later than other inputs. */
export type LateWork = EffectOf<'sign' | 'verify' | 'execute'>

/** Inputs of the results of a node. */
export interface Asking {
  readonly machine: ConsensusState
  readonly ground: Ground
  /** Record of its signer. */
  signer: KeyRecord
}

/** Result of work; a signer adds what it signed to its record. */
export function answerTo(setting: Setting, asking: Asking, work: LateWork): Input {
  const { job } = work
  switch (work.type) {
    case 'sign':
      return signed(setting, asking, work)
    case 'verify':
      return { type: 'verified', job, ok: work.checks.every(setting.rules.signatures.verify) }
    case 'execute': {
      const { header, body, certified } = work
      return { type: 'executed', job, result: setting.execute(asking.ground, header, body, certified), timely: true }
    }
  }
}

function signed(setting: Setting, asking: Asking, { job, messages, view, intent }: EffectOf<'sign'>): Input {
  const { signatures: by } = setting.rules
  const { context, self, index } = asking.machine
  const make = (message: Uint8Array): Buffer => by.sign(self, message)
  if (!setting.options.signer) return { type: 'signed', job, signatures: messages.map(make) }
  const place = { key: self, chainHash: context.chainHash }
  const decision = decideSigning(place, asking.signer, signRequestOf(context, index ?? -1, view, intent))
  if (!decision.ok) return { type: 'unsigned', job, recorded: decision.recorded }
  if (!decision.checks.every(by.verify)) return { type: 'unsigned', job, recorded: [] }
  const { signatures, signed: made } = withFresh(decision.statements, freshMessages(decision.statements).map(make))
  asking.signer = made.reduce(withSigned, asking.signer)
  return { type: 'signed', job, signatures }
}
