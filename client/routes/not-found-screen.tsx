import { Button, Container } from '@mantine/core'
import { useDocumentTitle } from '@mantine/hooks'
import { EmptyState } from '../ui/empty-state'

export function NotFoundScreen() {
  useDocumentTitle('Page not found · Insikt')
  return (
    <Container component="main" id="main" size="sm" py={64} tabIndex={-1}>
      <h1 className="only-reader">Page not found</h1>
      <EmptyState
        picture="lost"
        title="There is nothing at this address"
        sentence="The page has moved, was deleted, or is not shared with you."
        action={
          <Button component="a" href="/data-sources">
            Go to data sources
          </Button>
        }
      />
    </Container>
  )
}
