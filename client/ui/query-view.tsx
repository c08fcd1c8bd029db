import type { ReactNode } from 'react'
import { useFormat } from '../lib/format'
import { ErrorState } from './error-state'

/** The part of a query that says how far it has come. */
interface QueryState<T> {
  data: T | undefined
  error: unknown
  isPending: boolean
  refetch: () => Promise<unknown>
}

export interface QueryViewProps<T> {
  query: QueryState<T>
  skeleton: ReactNode
  children: (data: T) => ReactNode
}

/** What was read, as long as there is anything; else why not, or that it is on its way. */
export function QueryView<T>({ query, skeleton, children }: QueryViewProps<T>) {
  if (query.data !== undefined) return children(query.data)
  if (query.error) return <QueryError query={query} />
  return skeleton
}

interface QueryErrorProps {
  query: Pick<QueryState<unknown>, 'error' | 'refetch'>
  /** What could not be read is the page's own subject. */
  isPage?: boolean
}

export function QueryError({ query, isPage = false }: QueryErrorProps) {
  return <ErrorState error={query.error} onRetry={() => void query.refetch()} isPage={isPage} />
}

/** Above a list that stays where it is: that it is on its way, or why reading it failed. */
export function QueryStatus({ query, skeleton }: { query: QueryState<unknown>; skeleton: ReactNode }) {
  return (
    <>
      {query.isPending && skeleton}
      {query.error !== null && <QueryError query={query} />}
    </>
  )
}

/** Above what is still on screen: that reading it anew failed, and from when it is. */
export function RefetchError({ query }: { query: QueryState<unknown> & { dataUpdatedAt: number } }) {
  const format = useFormat()
  if (!query.error || query.data === undefined) return null
  return (
    <ErrorState
      error={query.error}
      onRetry={() => void query.refetch()}
      lastGoodAt={format.dateTime(new Date(query.dataUpdatedAt).toISOString())}
    />
  )
}
