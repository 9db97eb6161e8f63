/** Owns the search: asks the node for what a text may be, and goes to what it finds first. */
import { useEffect, useState } from 'preact/hooks'
import { Notice, Section, Text } from '../parts/ui.js'
import { hrefOf } from '../route.js'
import { candidates, type Found } from '../search.js'
import { ApiError, errorText, get } from '../state/api.js'

const PATHS: Readonly<Record<Found['kind'], string>> = {
  block: '/v1/explorer/blocks',
  transaction: '/v1/explorer/transactions',
  account: '/v1/accounts',
  asset: '/v1/assets/definitions',
  nft: '/v1/nfts',
  payment: '/v1/iso20022/status',
}

/** The first that is there; undefined: none is. */
async function firstOf(found: readonly Found[], signal: AbortSignal): Promise<Found | undefined> {
  for (const one of found) {
    try {
      await get(`${PATHS[one.kind]}/${encodeURIComponent(one.id)}`, {}, signal)
      return one
    } catch (error) {
      // Several messages of one id are there too.
      if (error instanceof ApiError && error.code === 'iso_ambiguous') return one
      if (!(error instanceof ApiError) || error.status === 401 || error.status >= 500) throw error
    }
  }
  return undefined
}

export function Search({ text }: { readonly text: string }) {
  const [said, say] = useState('Searching…')
  useEffect(() => {
    const stop = new AbortController()
    say('Searching…')
    firstOf(candidates(text), stop.signal).then(
      (found) => {
        if (found !== undefined) window.location.replace(hrefOf(found.kind, found.id))
        else say('Nothing here has this id.')
      },
      (error: unknown) => {
        if (!stop.signal.aborted) say(errorText(error))
      },
    )
    return () => stop.abort()
  }, [text])
  return (
    <Section title="Search">
      <p>
        <Text of={text} />
      </p>
      <Notice>{said}</Notice>
      <p>
        A height, a hash of a block or a transaction, an address, an alias <code>label@domain</code>, an asset{' '}
        <code>name#domain</code>, an NFT <code>name$domain</code>, or the id of a payment message.
      </p>
    </Section>
  )
}
