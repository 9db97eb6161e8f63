/** Owns what a button does: one action at a time, and what is said of its outcome. */
import { useState } from 'preact/hooks'
import { visible } from '../format.js'
import { ApiError, errorText } from '../state/api.js'
import { Notice } from './ui.js'

/** What a button did, as it is said beside it. */
interface Said {
  readonly text: string
  readonly isBad: boolean
}

const textOf = (error: unknown): string =>
  error instanceof ApiError ? errorText(error) : error instanceof Error ? error.message : 'It did not work.'

export interface Action {
  readonly said: Said | undefined
  readonly isBusy: boolean
  run(action: () => Promise<string>): void
}

/** Something that lasts a while, and what is said of it; at most one at a time. */
export function useAction(): Action {
  const [said, say] = useState<Said | undefined>()
  const [isBusy, setBusy] = useState(false)
  const run = (action: () => Promise<string>): void => {
    if (isBusy) return
    setBusy(true)
    say(undefined)
    action()
      .then(
        (text) => say({ text, isBad: false }),
        (error: unknown) => say({ text: textOf(error), isBad: true }),
      )
      .finally(() => setBusy(false))
  }
  return { said, isBusy, run }
}

export const SaidNotice = ({ said }: { readonly said: Said | undefined }) => (
  <div role="status">
    {said === undefined ? null : <Notice tone={said.isBad ? 'bad' : 'plain'}>{visible(said.text)}</Notice>}
  </div>
)
