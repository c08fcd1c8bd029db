import { Button, Collapse, Stack, Text, UnstyledButton } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useDisclosure } from '@mantine/hooks'
import { useMutation } from '@tanstack/react-query'
import { IconChevronDown } from '@tabler/icons-react'
import { useRef } from 'react'
import { createWorkspace, readWorkspace, saveWorkspace } from './queries'
import {
  WorkspaceBasicFields,
  WorkspaceFormatFields,
  validateWorkspace,
  toCreateInput,
  toUpdateInput,
  toWorkspaceValues,
  WORKSPACE_FIELDS,
  type WorkspaceFormValues,
} from './workspace-fields'
import { settingsForBrowser, type BrowserLocale } from '../../lib/regions'
import { loadSession } from '../../lib/session-actions'
import { changedValues } from '../../lib/writes/changed-values'
import { applyFieldErrors, FormError } from '../../ui/forms/form-error'

const detectBrowserSettings = (): BrowserLocale => ({
  timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone,
  languages: navigator.languages,
})

export interface WorkspaceCreateFormProps {
  onCreated: (workspaceId: string) => void
  signs?: BrowserLocale
}

/** Two fields in sight; everything that can be guessed is guessed and can be looked at. */
export function WorkspaceCreateForm({ onCreated, signs }: WorkspaceCreateFormProps) {
  const [more, { toggle, open }] = useDisclosure(false)
  const form = useForm({
    initialValues: toWorkspaceValues({ name: '', ...settingsForBrowser(signs ?? detectBrowserSettings()) }),
    validate: validateWorkspace,
  })
  // Made, and not entered yet: pressed again after that failed, no second one is made.
  const made = useRef<{ id: string; values: WorkspaceFormValues } | null>(null)
  const mutation = useMutation({
    mutationFn: async (values: WorkspaceFormValues) => {
      made.current ??= { id: (await createWorkspace(toCreateInput(values))).id, values }
      const { id, values: stored } = made.current
      await loadSession(id)
      if (Object.keys(changedValues(values, stored)).length > 0) {
        await saveWorkspace(toUpdateInput(values, (await readWorkspace()).version))
        made.current.values = values
        await loadSession(id)
      }
      return id
    },
    onSuccess: onCreated,
    onError: (error) => applyFieldErrors(form, error, WORKSPACE_FIELDS),
  })
  const { currency, timeZone } = form.values
  return (
    <form onSubmit={form.onSubmit((values) => mutation.mutate(values), open)} noValidate>
      <Stack gap="md">
        <FormError error={mutation.error} />
        <WorkspaceBasicFields form={form} />
        <UnstyledButton onClick={toggle} aria-expanded={more} aria-controls="workspace-formats">
          <Text size="sm" fw={550} span>
            <IconChevronDown
              size={15}
              aria-hidden
              style={{ verticalAlign: -2, marginRight: 6, rotate: more ? '180deg' : '0deg' }}
            />
            Currency, formats and calendar
          </Text>
          <Text size="xs" c="dimmed" ml={21}>
            {currency} · {timeZone.replaceAll('_', ' ')}
          </Text>
        </UnstyledButton>
        <Collapse expanded={more} id="workspace-formats">
          <WorkspaceFormatFields form={form} />
        </Collapse>
        <Button type="submit" loading={mutation.isPending}>
          Create workspace
        </Button>
      </Stack>
    </form>
  )
}
