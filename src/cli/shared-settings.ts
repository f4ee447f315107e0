// The settings that several commands take. commands.ts adds them to its table.
import { declareSettings, placeholders, type SettingTable } from './setting.ts'

export interface SharedValues {
  /** Address of the registry. */
  readonly database: string
  readonly dataDir: string
  readonly allowInsecure: boolean
  /** Address of a service. */
  readonly url: string | undefined
  readonly lang: string | undefined
}

export const sharedSettings: SettingTable<SharedValues> = declareSettings<SharedValues>([], {
  database: {
    variable: 'DATABASE_URL',
    placeholder: placeholders.url,
    default: 'sqlite:data/registry.db',
    meaning: { en: 'Registry to use', es: 'Registro que se usa' },
    details: {
      en: 'sqlite:PATH, postgres://… with one or more hosts, or https://…',
      es: 'sqlite:RUTA, postgres://… con uno o varios servidores, o https://…',
    },
    commands: ['serve', 'import', 'search', 'check', 'mcp'],
  },
  dataDir: {
    variable: 'DATA_DIR',
    placeholder: placeholders.directory,
    default: 'data',
    meaning: {
      en: 'Folder for the local copy of a registry and for published documents',
      es: 'Carpeta para la copia local de un registro remoto y para los documentos publicados',
    },
    commands: ['serve', 'import', 'search', 'check', 'mcp'],
  },
  allowInsecure: {
    meaning: {
      en: 'Follow a registry at http:// on another machine',
      es: 'Sigue un registro en http:// de otro equipo',
    },
    commands: ['serve', 'search', 'check', 'mcp'],
  },
  url: {
    placeholder: placeholders.url,
    meaning: {
      en: 'Base address of a running service to use instead of a database',
      es: 'Dirección base de un servicio en marcha, en lugar de una base de datos',
    },
    commands: ['search', 'mcp'],
  },
  // `languageOf` in config.ts reads it before all others.
  lang: {
    placeholder: { en: 'LANGUAGE', es: 'IDIOMA' },
    meaning: { en: 'Messages in es or en', es: 'Idioma de los mensajes: es (español) o en (inglés)' },
    details: {
      en: 'reports and progress too; by default the language of the locale',
      es: 'también los informes y el progreso; por defecto, el idioma del sistema',
    },
    commands: ['serve', 'import', 'search', 'check', 'sample', 'mcp', 'desk'],
  },
})
