import { Button, Group, Stack, Text, TextInput } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { modelSettingsQuery, saveModelSettings } from './queries'
import { confirmDestructive } from '../../ui/forms/confirm-dialog'
import { fieldErrors, FormError } from '../../ui/forms/form-error'
import { FormDialog } from '../../ui/forms/form-dialog'
import { PasswordField } from '../../ui/forms/password-field'
import type { ModelSettings, ModelSettingsInput } from '../../../src/shared/bot/language-model'

function useSaving(message: string, onSaved: () => void = () => undefined) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (input: ModelSettingsInput) => saveModelSettings(input),
    onSuccess: (saved) => {
      client.setQueryData(modelSettingsQuery().queryKey, saved)
      notifications.show({ color: 'green', message })
      onSaved()
    },
  })
}

/** The workspace's own endpoint in place of the installation's: added, changed, removed. */
export function OwnModel({ stored }: { stored: ModelSettings }) {
  const [isOpen, setIsOpen] = useState(false)
  const remove = useSaving('Own model removed')
  const { own, configured, version } = stored
  const ask = () =>
    confirmDestructive({
      title: 'Remove your own model?',
      message: configured
        ? `Its key is deleted. Questions then go to ${configured.host}.`
        : 'Its key is deleted. Questions are then answered by rules.',
      confirm: 'Remove model',
      onConfirm: () => {
        const isOn = stored.model && configured !== null
        remove.mutate({ model: isOn, rowValues: isOn && stored.rowValues, version, own: null })
      },
    })
  return (
    <Stack gap="xs">
      <FormError error={remove.error} />
      <Group justify="space-between" gap="sm">
        <div>
          <Text size="sm" fw={500}>
            Your own model
          </Text>
          <Text size="sm" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
            {own ? `${own.model} at ${new URL(own.baseUrl).host}` : 'An OpenAI-compatible endpoint with your own key.'}
          </Text>
        </div>
        <Group gap="xs">
          <Button variant="default" size="xs" onClick={() => setIsOpen(true)}>
            {own ? 'Edit model' : 'Add model'}
          </Button>
          {own && (
            <Button variant="subtle" color="red" size="xs" loading={remove.isPending} onClick={ask}>
              Remove model
            </Button>
          )}
        </Group>
      </Group>
      {isOpen && <OwnModelDialog stored={stored} onClose={() => setIsOpen(false)} />}
    </Stack>
  )
}

function OwnModelDialog({ stored, onClose }: { stored: ModelSettings; onClose: () => void }) {
  const { own, version, rowValues } = stored
  const [baseUrl, setBaseUrl] = useState(own?.baseUrl ?? '')
  const [model, setModel] = useState(own?.model ?? '')
  const [apiKey, setApiKey] = useState('')
  const save = useSaving('Own model saved', onClose)
  const errors = fieldErrors(save.error) ?? {}
  const isKept = own?.hasKey === true && apiKey === '' && own.baseUrl === baseUrl.trim()
  const input = { baseUrl: baseUrl.trim(), model: model.trim(), ...(apiKey === '' ? {} : { apiKey }) }
  // Who adds a model wants it used; who changes one leaves its switch as it is.
  const isOn = own === null || stored.model
  return (
    <FormDialog
      title={own ? 'Edit your own model' : 'Add your own model'}
      submit={own ? 'Save model' : 'Add model'}
      pending={save.isPending}
      disabled={input.baseUrl === '' || input.model === ''}
      onSubmit={() => save.mutate({ model: isOn, rowValues: isOn && rowValues, version, own: input })}
      onClose={onClose}
    >
      <Text size="sm">
        Questions and names of tables, columns, metrics and terms are sent there. A test question without your data is
        asked first.
      </Text>
      <TextInput
        label="Address"
        description="Base URL of an OpenAI-compatible API"
        placeholder="https://api.example.com/v1"
        type="url"
        value={baseUrl}
        maxLength={300}
        error={errors['own.baseUrl']}
        data-autofocus
        onChange={(event) => setBaseUrl(event.currentTarget.value)}
      />
      <TextInput
        label="Model"
        value={model}
        maxLength={120}
        error={errors['own.model']}
        onChange={(event) => setModel(event.currentTarget.value)}
      />
      <PasswordField
        label="API key"
        description={isKept ? 'Leave empty to keep the stored key.' : 'Stored encrypted and never shown again.'}
        value={apiKey}
        maxLength={500}
        autoComplete="off"
        error={errors['own.apiKey']}
        onChange={(event) => setApiKey(event.currentTarget.value)}
      />
      <FormError error={save.error} />
    </FormDialog>
  )
}
