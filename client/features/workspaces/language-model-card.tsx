import { Alert, Stack, Switch, Text } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { OwnModel } from './own-model'
import { modelSettingsQuery, saveModelSettings } from './queries'
import { useFormat } from '../../lib/format'
import { FormError } from '../../ui/forms/form-error'
import { QueryView } from '../../ui/query-view'
import { SectionCard } from '../../ui/section-card'
import { FormSkeleton } from '../../ui/skeletons'
import { AI_QUOTA_NOTE_FROM, type ModelSettings } from '../../../src/shared/bot/language-model'

/** Whether questions may go to the installation's language model, and what of the data with them. */
export function LanguageModelCard() {
  const settings = useQuery(modelSettingsQuery())
  return (
    <SectionCard
      title="Language model"
      description="Reads questions the built-in rules can’t. It writes a query plan; figures always come from your data."
    >
      <QueryView query={settings} skeleton={<FormSkeleton fields={2} />}>
        {(stored) => (
          <Stack gap="md">
            <ModelInUse stored={stored} />
            <OwnModel stored={stored} />
          </Stack>
        )}
      </QueryView>
    </SectionCard>
  )
}

function ModelInUse({ stored }: { stored: ModelSettings }) {
  const host = stored.own ? new URL(stored.own.baseUrl).host : stored.configured?.host
  if (host !== undefined) return <ModelSwitches stored={stored} host={host} />
  return (
    <Text size="sm" c="dimmed">
      No language model is set up. Questions are answered by rules.
    </Text>
  )
}

function ModelSwitches({ stored, host }: { stored: ModelSettings; host: string }) {
  const client = useQueryClient()
  const save = useMutation({
    mutationFn: saveModelSettings,
    onSuccess: (saved) => {
      client.setQueryData(modelSettingsQuery().queryKey, saved)
      notifications.show({ color: 'green', message: 'Language model settings saved' })
    },
  })
  const { model, rowValues, version } = save.isPending ? save.variables : stored
  return (
    <Stack gap="md">
      <FormError error={save.error} />
      <Switch
        label="Use the language model"
        description={`Sends questions and names of tables, columns, metrics and terms to ${host}.`}
        checked={model}
        disabled={save.isPending}
        onChange={({ currentTarget }) => save.mutate({ model: currentTarget.checked, rowValues: false, version })}
      />
      <Switch
        label="Allow row values"
        description="Also sends some values of columns, such as region names."
        checked={rowValues}
        disabled={!model || save.isPending}
        onChange={({ currentTarget }) => save.mutate({ model, rowValues: currentTarget.checked, version })}
      />
      {model && <MessagesUsed usage={stored.usage} />}
    </Stack>
  )
}

/** Answers of the model against the plan; from 80 % on as a note. */
function MessagesUsed({ usage: { used, max, resetsAt } }: Pick<ModelSettings, 'usage'>) {
  const format = useFormat()
  const of = max === null ? 'unlimited' : `of ${format.count(max)}`
  const reset = resetsAt === null ? '' : `, resets ${format.day(resetsAt)}`
  const words = `AI messages used: ${format.count(used)} ${of}${reset}`
  if (max === null || used < max * AI_QUOTA_NOTE_FROM)
    return (
      <Text size="sm" c="dimmed">
        {words}
      </Text>
    )
  return (
    <Alert color="yellow" title={words}>
      {used >= max
        ? 'Questions are answered by rules until then.'
        : 'When they’re used up, questions are answered by rules.'}
    </Alert>
  )
}
