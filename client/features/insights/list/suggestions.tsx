import { useMutation, useQueryClient, useQuery } from '@tanstack/react-query'
import { Button, SimpleGrid, Text, Title } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { readJson, api, withIdempotencyKey } from '../../../lib/api'
import type { Insight, SuggestedInsight } from '../../../../src/shared/insights'
import type { ListPage } from '../../../../src/shared/field-schemas'
import { LiveCardContent } from './insight-card'
import classes from '../insights.module.css'
import { useMay } from '../../../lib/gate'
import { useSession } from '../../../lib/session'
import { jsonQuery } from '../../../lib/queries/query-options'
import { FormError } from '../../../ui/forms/form-error'
import { MutedText } from '../../../ui/muted-text'

const suggestionsQuery = () =>
  jsonQuery<ListPage<SuggestedInsight>>(['insights', 'suggestions'], (options) => api.api.starters.$get({}, options))

function useKeepSuggestion() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (key: string) => readJson<Insight>(api.api.starters.$post({ json: { key } }, withIdempotencyKey())),
    onSuccess: () => client.invalidateQueries({ queryKey: ['insights'] }),
  })
}

/** What is offered to this person; undefined while it is not known. */
function useSuggestions(): readonly SuggestedInsight[] | undefined {
  const { data, isPending } = useQuery(suggestionsQuery())
  const may = useMay('create:insight')
  const readOnly = useSession().workspace?.entitlements.readOnly ?? null
  if (!may || readOnly !== null) return []
  return isPending ? undefined : (data?.items ?? [])
}

/** Whether there is something to choose from; undefined while it is not known. */
export function useHasSuggestions(): boolean | undefined {
  const items = useSuggestions()
  return items === undefined ? undefined : items.length > 0
}

/** First questions of a person's own data, answered already; one click keeps each. Nothing when there are none. */
export function Suggestions() {
  const items = useSuggestions() ?? []
  if (items.length === 0) return null
  return (
    <section aria-labelledby="suggestions">
      <Title order={2} id="suggestions" mt="xl">
        Questions your data can answer
      </Title>
      <MutedText mb="md">Based on your columns. Kept suggestions don’t count towards limits.</MutedText>
      <SimpleGrid cols={{ base: 1, sm: 2, lg: 3 }} spacing="md">
        {items.map((suggestion) => (
          <SuggestionCard key={suggestion.key} suggestion={suggestion} />
        ))}
      </SimpleGrid>
    </section>
  )
}

function SuggestionCard({ suggestion }: { suggestion: SuggestedInsight }) {
  const keep = useKeepSuggestion()
  return (
    <div className={`surface ${classes.card}`}>
      <Text fw={600} lineClamp={2}>
        {suggestion.name}
      </Text>
      <LiveCardContent insight={suggestion} />
      <FormError error={keep.error} />
      <Button
        mt="sm"
        size="compact-sm"
        variant="default"
        leftSection={<IconPlus size={15} aria-hidden />}
        aria-label={`Keep it: ${suggestion.name}`}
        loading={keep.isPending}
        onClick={() => keep.mutate(suggestion.key)}
        style={{ alignSelf: 'flex-start' }}
      >
        Keep it
      </Button>
    </div>
  )
}
