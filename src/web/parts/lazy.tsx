/** Owns pages that come when they are asked for: few readers open them, and the script that all load stays small. */
import type { ComponentType } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { Notice } from './ui.js'

/** A page whose script is loaded when it is shown. */
export function lazy<P extends object>(load: () => Promise<ComponentType<P>>): ComponentType<P> {
  return function Lazy(props: P) {
    const [{ Page, isLost }, set] = useState<{ readonly Page?: ComponentType<P>; readonly isLost?: true }>({})
    useEffect(() => {
      load().then(
        (loaded) => set({ Page: loaded }),
        () => set({ isLost: true }),
      )
    }, [])
    if (Page !== undefined) return <Page {...props} />
    return <Notice>{isLost === true ? 'The node does not answer. Load the page again.' : 'Reading…'}</Notice>
  }
}
