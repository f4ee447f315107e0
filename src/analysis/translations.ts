// The words of plans, licences and public works in Catalan, Galician and Basque. A text with one of them is indexed with
// the Spanish word as a synonym, and a term searches for the Spanish word. So each language finds the others: `gual`
// finds `vado`, `etxebizitza` finds `habitatge`. Quoted phrases match only the words as they are written.
//
// A line is `Spanish: Catalan | Galician | Basque`, in the singular and folded (fold.ts). Several words of a language
// are alternatives, and so are Spanish words: `clavegueram` is `saneamiento` and `alcantarillado`. A word that the
// stemmer reads as the Spanish word needs no place here (`legalització`). It may be here for its forms: the Catalan
// words in -a have a plural in -es, and the Basque words are roots, to which the endings of Basque cases are added
// (other-languages.ts). Left out are words that are also common Spanish words or names (`sol`, `costa`, `pas`).

export interface Translation {
  /** The first is what a term searches for. */
  readonly spanish: readonly string[]
  readonly catalan: readonly string[]
  readonly galician: readonly string[]
  readonly basque: readonly string[]
}

const table = `
# --- plans
general: | xeral | orokor
parcial: | | partzial
especial: | | berezi
sectorial: | | sektorial
estudio: | estudo | azterlan azterketa
detalle: | | xehetasun
proyecto: projecte | proxecto | proiektu
norma: | | arau
subsidiario: | | subsidiario
ordenanza: ordenanca | | ordenantza
ordenacion: | | antolamendu antolaketa
planeamiento: planejament | planeamento | plangintza
urbanismo: | | hirigintza
urbano: urba
metropolitano: metropolita
urbanizacion: | | urbanizazio urbanizatze
suelo: | | lurzoru
urbanizable: | | urbanizagarri
programa: programa | | programa
catalogo: cataleg | | katalogo
sector: | | sektore
unidad: | | unitate
poligono: poligon | | poligono
ambito: ambit | | eremu esparru
area: area
nucleo: nucli | | nukleo
manzana: illa | maza quinteiro | etxadi
parcela: parcella | | partzela lursail
modificacion: | | aldaketa
revision: | | berrikuspen
aprobacion: aprovacio | | onarpen onespen
inicial: | | hasiera
correccion: | | zuzenketa
error: errada | erro | akats
refundido: refos
texto: text | | testu
delimitacion: | | mugaketa
clasificacion: classificacio | | sailkapen
calificacion: qualificacio | cualificacion | kalifikazio
edificabilidad: | | eraikigarritasun
aprovechamiento: aprofitament | aproveitamento | aprobetxamendu
alineacion: | alinacion | lerrokadura
rasante: rasant | | sestra
ejecucion: execucio | execucion | exekuzio egikaritze
actuacion: | | jarduketa
gestion: | xestion | kudeaketa
compensacion: | | konpentsazio
reparcelacion: reparcellacio | | birpartzelazio
parcelacion: parcellacio | | partzelazio
expropiacion: | | desjabetze
convenio: | | hitzarmen
estatuto: estatut | | estatutu
base: base
proteccion: | | babes
protegido: protegit | protexido | babestu
historico: | | historiko
conjunto: conjunt | conxunto | multzo
rehabilitacion: | | birgaitze
equipamiento: | | ekipamendu
ambiental: | | ingurumen
impacto: impacte | | inpaktu
informe: | | txosten
ciudad: ciutat | cidade | hiri
municipio: | | udalerri
ayuntamiento: ajuntament | concello | udal udaletxe
comision: comissio | | batzorde
consejo: consell | consello | kontseilu
diputacion: | deputacion | aldundi
gobierno: govern | goberno | jaurlaritza
resolucion: | | ebazpen
orden: ordre | orde | agindu
acuerdo: acord | acordo | akordio erabaki
anuncio: anunci | | iragarki
edicto: edicte | | ediktu
expediente: expedient | | espediente
bien: bens | bens | ondasun
# --- licences
licencia: llicencia | licenza | lizentzia
permiso: permis
autorizacion/permiso: | | baimen
declaracion: | | adierazpen
responsable: | | erantzukizunpeko
permanente: permanent
previo: previ | | aurretiko
solicitud: sollicitud | solicitude | eskaera
obra: obra | | obra
mayor: major | maior
menor: | | txiki
vivienda: habitatge | vivenda | etxebizitza
casa: casa | | etxe
edificio: | | eraikin
edificacion/construccion: | | eraikuntza
unifamiliar: | | familiabakar
nave: nau | | nabe
local: | | lokal
almacen: magatzem | | biltegi
garaje: | | garaje
aparcamiento: | aparcadoiro | aparkaleku
trastero: traster | trasteiro | trasteleku
ascensor: | | igogailu
cubierta: coberta | cuberta | estalki
tejado: teulada | tellado | teilatu
fachada: facana | | fatxada
ventana: finestra | fiestra xanela | leiho
puerta: porta | porta
escalera: | escaleira | eskailera
muro: mur
pared: paret | parede
medianera: mitgera | medianeira
valla: tanca | valado
cerramiento/cierre/vallado: tancament | peche | itxitura
pozo: pou | | putzu
piscina: piscina | | igerileku
terraza: terrassa | | terraza
balcon: balco balcons | | balkoi
cocina: cuina | | sukalde
bano: bany | | bainugela
planta: planta | | solairu
piso: pis | | pisu
atico: atic | atico
sotano: soterrani
bajo: baix | baixo
altura: alcada
horizontal: horitzontal
division: | | zatiketa
segregacion: | | bereizketa
derribo: enderroc enderrocament | derrubamento derrubo
derribo/demolicion: | | eraispen eraiste
legalizacion: | | legeztatze
instalacion: installacio | | instalazio
colocacion: collocacio
sustitucion: substitucio | substitucion | ordezkapen
ampliacion: | | handitze
restauracion: | | zaharberritze
reparacion: | | konponketa
reforma: reforma | | erreforma eraberritze
renovacion: | | berritze
conservacion: | | kontserbazio
cambio: canvi | troco
uso: | | erabilera
apertura: obertura | | irekiera
actividad: | | jarduera
traspaso: traspas
titularidad: | titularidade | titulartasun
transmision: transmissio
prorroga: prorroga | | luzapen
ocupacion: | | okupazio
vado: gual | vao
andamio: bastida | | aldamio
contenedor: contenidor | contedor | edukiontzi
grua: grua | guindastre | garabi
toldo: tendal | | olana
rotulo: retol | | errotulu
cartel: cartell | | kartel
mesa: taula | | mahai
silla: cadira | cadeira | aulki
tienda: botiga | tenda | denda
restaurante: restaurant | | jatetxe
panaderia: fleca
peluqueria: perruqueria | perruqueria | ileapaindegi
carniceria: carnisseria | | harategi
establecimiento: establiment | establecemento | establezimendu
terreno: terreny | terreo
solar: | | orube
finca: finca | | finka
tierra: terra | terra
movimiento: moviment | movemento | mugimendu
arbol: arbre | arbore | zuhaitz
arbolado: arbrat | arborado
tala: tala
poda: poda | | inausketa
panel: panell
ruido: soroll
alojamiento: allotjament | aloxamento | ostatu
apartamento: apartament
albergue: alberg | | aterpetxe
granja: granja | granxa
ganaderia: ramaderia | gandeiria | abeltzaintza
bodega: celler | adega | upategi
cantera: | canteira | harrobi
explotacion: | | ustiategi
vertedero: abocador | vertedoiro | zabortegi
invernadero: hivernacle | invernadoiro
balsa: bassa
riego: reg | rega | ureztatze
huerto: hort | horta | baratze
# --- public works
plaza: places
agua: aigua | auga | ur ura urak uren uraren
saneamiento/alcantarillado: clavegueram claveguera | sumidoiro | estolderia
saneamiento: sanejament | saneamento | saneamendu
abastecimiento: abastament proveiment | abastecemento | hornidura
red: xarxa | rede | sare
acometida: escomesa
colector: collector | | kolektore
deposito: diposit | | andel
tuberia: canonada | | hodi
bombeo: bombament
zanja: rasa | gabia | zanga
alumbrado/iluminacion: enllumenat | alumeado | argiteria
iluminacion: illuminacio | | argiztapen
linea: linia | lina
electrico: | | elektriko
acera: vorera | beirarrua | espaloi
calzada: calcada | | galtzada
pavimento: paviment | | zoladura
asfalto: asfalt
semaforo: semafor
puente: pont | ponte | zubi
rio: riu | | ibai
arroyo: rierol | regato | erreka
playa: platja | praia | hondartza
puerto: port | porto | portu
monte: | | mendi
bosque: bosc
fuente: font | fonte | iturri
barrio: barri | | auzo
parque: | | parke
jardin: | xardin | lorategi
zona: zona | | zona
verde: verd verda | | berde
escuela: escola | escola | eskola
colegio: collegi | colexio | ikastetxe
instituto: institut | | institutu
biblioteca: biblioteca | | liburutegi
guarderia: | garderia | haurtzaindegi
infantil: | | haur
mercado: mercat | | merkatu azoka
cementerio: cementiri | cemiterio | hilerri
deportivo: esportiu esportiva
deporte: esport | | kirol
polideportivo: poliesportiu | | kiroldegi polikiroldegi
pabellon: pavello pavellons | pavillon | pabiloi
campo: camp | | zelai
teatro: teatre | | antzoki
museo: museu | | museo
centro: centre | | zentro
hospital: | | ospitale
salud: salut | saude | osasun
bombero: bomber | | suhiltzaile
policia: | | polizia
iglesia: esglesia | igrexa | eliza
castillo: castell | castelo | gaztelu
palacio: palau | pazo | jauregi
molino: moli | muino | errota
estacion: | | geltoki
transporte: transport | | garraio
vehiculo: vehicle | | ibilgailu
ferrocarril: | | trenbide
tranvia: tramvia | | tranbia
mejora: millora | mellora | hobekuntza
mantenimiento: manteniment | mantemento | mantentze
acondicionamiento: condicionament | acondicionamento | egokitze
adecuacion: adequacio | | egokitzapen
limpieza: neteja | limpeza | garbiketa
residuo: residu | | hondakin
basura: escombraries | lixo | zabor
supresion: supressio
barrera: barrera | barreira
accesibilidad: accessibilitat | | irisgarritasun
seguridad: seguretat | | segurtasun
propiedad: | | jabetza
presupuesto: pressupost | orzamento | aurrekontu
concurso: concurs | | lehiaketa
contrato: contracte | | kontratu
subvencion: | | dirulaguntza
ayuda: ajut | axuda | laguntza
bloque: bloc | | bloke
portal: | | atari
lote: lot
fase: | | fase
etapa: etapa | | etapa
tramo: tram | treito | tarte
numero: | | zenbaki
espacio: espai espais | espazo | espazio
publico: | | publiko
privado: | | pribatu
nuevo: nou nova | novo | berri
viejo: vell vella | vello
antiguo: antic antiga | antigo
norte: nord | | ipar
sur: sud | sul | hego
oeste: oest
energia: | enerxia
riesgo: risc | | arrisku
fiesta: festa | festa
feria: fira | feira
persona: persona | persoa | pertsona
`

/** The lines of the table. */
export const translations: readonly Translation[] = table
  .trim()
  .split('\n')
  .filter((line) => !line.startsWith('#'))
  .map((line) => {
    const [spanish = '', others = ''] = line.split(':')
    const [catalan = [], galician = [], basque = []] = others.split('|').map(toWords)
    return { spanish: spanish.split('/'), catalan, galician, basque }
  })

function toWords(text: string): string[] {
  return text.split(' ').filter((word) => word !== '')
}
